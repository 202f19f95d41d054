"""The profile's section `live`."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from serve.core.messages import NO_ENGINE
from serve.core.replica.deployment_profile import DeploymentProfile, known_in
from serve.tasks.live.sherpa.registry import BY_NAME
from serve.tasks.transcription.messages import OFFLINE_ENGINE

AUTO = "auto"
ENGINES = (AUTO, *BY_NAME, OFFLINE_ENGINE, NO_ENGINE)


class LiveProfile(DeploymentProfile):
    """How the `LiveTranscriber` deployment runs."""

    live = DeploymentProfile.live | {"max_queued_audio_s"}

    engine: Annotated[str, AfterValidator(known_in(ENGINES))] = "auto"
    max_batch: int = Field(32, ge=1)
    max_queued_audio_s: float = Field(600.0, gt=0)
    max_utterances: int = Field(
        16, ge=1, description="Utterances that a replica decodes at once. People who would begin another one wait."
    )

    @property
    def max_queued(self) -> int:
        return round(self.max_queued_audio_s * 1000)
