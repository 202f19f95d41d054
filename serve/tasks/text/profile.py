"""The section `text` of a profile."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from serve.core.replica.deployment_profile import DeploymentProfile


class TextProfile(DeploymentProfile):
    """How the `Writer` deployment runs."""

    live = DeploymentProfile.live | {"max_queued_tokens"}

    engine: Literal["auto", "ct2_llm", "transformers", "openai", "extractive"] = "auto"
    models: tuple[str, ...] = Field((), description="Folders of chat models in the models folder, the best first.")
    compute_type: str = "int8"
    context_tokens: int = Field(8192, ge=1024, description="Tokens that a model on this machine reads and writes.")
    threads: int = Field(0, ge=0, description="Processor threads of one model call; 0 means one per core.")
    max_queued_tokens: int = Field(500_000, gt=0)

    @property
    def max_queued(self) -> int:
        return self.max_queued_tokens
