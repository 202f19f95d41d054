"""The profile's section `diarization`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from serve.core.replica.deployment_profile import DeploymentProfile


class DiarizationProfile(DeploymentProfile):
    """How the `Diarizer` deployment runs."""

    live = DeploymentProfile.live | {"max_queued_audio_s"}

    engine: Literal["auto", "pyannote", "sherpa", "none"] = "auto"
    segmentation_batch: int = Field(8, ge=1, description="Windows of 10 s that the segmentation model takes at once.")
    embedding_batch: int = Field(8, ge=1, description="Windows of 10 s that the embedding model takes at once.")
    likeness: float | None = Field(
        None, ge=-1, le=1, description="Cosine from which two voices are one person's; the engine's own when unset."
    )
    max_queued_audio_s: float = Field(600.0, gt=0)

    @property
    def max_queued(self) -> int:
        return round(self.max_queued_audio_s * 1000)
