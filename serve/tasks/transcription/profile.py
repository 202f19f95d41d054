"""The profile's section `transcription`."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from serve.core.replica.deployment_profile import DeploymentProfile, known_in
from serve.tasks.transcription.engines import ENGINES


class TranscriptionProfile(DeploymentProfile):
    """How the `Transcriber` deployment runs."""

    live = DeploymentProfile.live | {"max_queued_audio_s"}

    engine: Annotated[str, AfterValidator(known_in(ENGINES))] = "auto"
    models: tuple[str, ...] = Field(
        min_length=1,
        description="Whisper models to look for, the best first; one that suits the machine may be downloaded.",
    )
    hub: bool = Field(description="Whether a model is downloaded from the hub when there is none.")
    compute_type: str = "int8"
    beam_size: int = Field(1, ge=1, description="Beams of the search; a request may ask for more.")
    threads: int = Field(
        1, ge=1, description="Threads of one model call on the CPU; two calls of one thread are faster than one of two."
    )
    adaptive_context: bool = Field(True, description="Encode short clips with a shorter context than 30 s.")
    denoise: bool = Field(
        False,
        description="Take noise out of the sound first, where the models folder has a denoiser; on processors only. "
        "It helps some engines on noisy speech and harms others: measure both with `sagascript models compare`.",
    )
    max_queued_audio_s: float = Field(600.0, gt=0)
    target_queued_audio_s: float = Field(
        120.0, gt=0, description="With more seconds of sound waiting in each replica, more replicas start."
    )

    @property
    def max_queued(self) -> int:
        return round(self.max_queued_audio_s * 1000)

    @property
    def target_queued(self) -> int:
        return round(self.target_queued_audio_s * 1000)
