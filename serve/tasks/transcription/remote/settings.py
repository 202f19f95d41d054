"""Where a speech endpoint in OpenAI's form is and how to sign in to it.

Only the process that deploys the models reads this. The key travels as a `Secret` to the replica that uses it: Ray
writes a runtime environment into the arguments of its processes, so it must not hold the key.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class SpeechSettings(BaseSettings):
    """Read from the environment, prefix `SAGASCRIPT_`."""

    model_config = SettingsConfigDict(env_prefix="SAGASCRIPT_", extra="ignore", frozen=True)

    speech_url: str | None = Field(
        None,
        description="Address of a speech endpoint in OpenAI's form (vLLM, SGLang, LocalAI, another Sagascript), ending "
        "in `/v1`. It transcribes in place of a local model, and the sound of every file goes there.",
    )
    speech_model: str = Field("", description="Speech model to use at that endpoint; its first one when unset.")
    speech_key: SecretStr | None = Field(
        None, description="Key of the speech endpoint; only the model replicas receive it."
    )
    speech_timeout_s: float = Field(
        120.0, gt=0, description="How long the speech endpoint may take for one window of at most 30 s of sound."
    )
    speech_requests: int = Field(
        16, ge=1, le=256, description="Windows that one replica sends to the speech endpoint at once."
    )

    @property
    def endpoint(self) -> SpeechEndpoint | None:
        """The endpoint; None when no address is set."""
        if not self.speech_url:
            return None
        return SpeechEndpoint(
            self.speech_url, self.speech_model, self.speech_key, self.speech_timeout_s, self.speech_requests
        )


@dataclass(frozen=True, slots=True)
class SpeechEndpoint:
    """An endpoint and its key, whose text no log or error shows."""

    url: str
    model: str
    key: SecretStr | None
    timeout_s: float = 120.0
    requests: int = 16

    @property
    def host(self) -> str:
        """Its name and port for people, without anything secret that an address may hold."""
        parts = urlsplit(self.url)
        return parts.netloc.rpartition("@")[2] or self.url
