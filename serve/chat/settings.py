"""Where an OpenAI-compatible endpoint is and how to sign in to it.

Only the process that deploys the models reads this. The key travels as a `Secret` to the one replica that uses it:
Ray writes a runtime environment into the arguments of its processes, so it must not hold the key.
"""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class ChatSettings(BaseSettings):
    """Read from the environment, prefix `SAGASCRIPT_`."""

    model_config = SettingsConfigDict(env_prefix="SAGASCRIPT_", extra="ignore", frozen=True)

    chat_url: str | None = Field(
        None,
        description="Address of an OpenAI-compatible endpoint that writes AI text and translates, ending in `/v1`.",
    )
    chat_model: str = Field("", description="Model to use at that endpoint; its first one when unset.")
    chat_key: SecretStr | None = Field(None, description="Key of that endpoint; only the model replicas receive it.")
    chat_timeout_s: float = Field(120.0, gt=0, description="How long the endpoint may take for one answer.")
    chat_context_tokens: int = Field(
        16_384, ge=1024, description="Tokens that the endpoint's model reads and writes at once."
    )

    @property
    def endpoint(self) -> Endpoint | None:
        """The endpoint; None when no address is set."""
        if not self.chat_url:
            return None
        return Endpoint(self.chat_url, self.chat_model, self.chat_key, self.chat_timeout_s, self.chat_context_tokens)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint and its key, whose text no log or error shows."""

    url: str
    model: str
    key: SecretStr | None
    timeout_s: float = 120.0
    context_tokens: int = 16_384
