"""How the `Translator` deployment runs: the profile's section `translation`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from serve.core.replica.deployment_profile import DeploymentProfile

EVERY_PAIR = "*"


class TranslationProfile(DeploymentProfile):
    """How the `Translator` deployment runs."""

    live = DeploymentProfile.live | {"max_queued_characters"}

    engine: Literal["auto", "ct2", "transformers", "llm", "apertium"] = "auto"
    models: dict[str, str] = Field(
        default_factory=dict,
        description=(
            "Models by pair (en-is), or by * for models of many languages: a folder, its name in the models folder or "
            "a hub name. Every other translation model in the models folder is used too."
        ),
    )
    chat_model: str = Field("", description="Chat model to translate with: its folder in the models folder.")
    hub: bool = Field(False, description="Whether models that `models` names are downloaded when they are missing.")
    compute_type: str = "int8"
    batch_tokens: int = Field(2048, ge=64, description="Tokens of one model call, padding included.")
    max_batch: int = Field(32, ge=1)
    max_queued_characters: int = Field(200_000, gt=0)

    @property
    def max_queued(self) -> int:
        return self.max_queued_characters
