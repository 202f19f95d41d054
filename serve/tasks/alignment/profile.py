"""The profile's section `alignment`."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from serve.core.replica.deployment_profile import DeploymentProfile


class AlignmentProfile(DeploymentProfile):
    """How the `Aligner` deployment runs."""

    live = DeploymentProfile.live | {"max_queued_audio_s"}

    engine: Literal["auto", "ctc", "none"] = "auto"
    max_queued_audio_s: float = Field(600.0, gt=0)

    @property
    def max_queued(self) -> int:
        return round(self.max_queued_audio_s * 1000)
