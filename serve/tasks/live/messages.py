"""The values that the deployment for live sound exchanges with its callers. Times are integer milliseconds."""

from __future__ import annotations

from dataclasses import dataclass, field

from serve.tasks.transcription.messages import SAMPLE_RATE, DecodeOptions, Word

LIVE = "live"
"""The name of the task."""


@dataclass(frozen=True, slots=True)
class LiveSound:
    """The next sound of an utterance.

    `pcm` is mono signed 16-bit little-endian at `SAMPLE_RATE`. `offset` counts the samples of the utterance before it;
    0 begins the utterance, also one that has been sent before. `start_ms` is where the utterance begins in the
    recording, and `stream` names the recording. After the one that `is_last` the utterance is forgotten.
    """

    stream: str
    start_ms: int
    offset: int
    pcm: bytes
    is_last: bool = False
    options: DecodeOptions = field(default_factory=DecodeOptions)

    @property
    def duration_ms(self) -> int:
        return len(self.pcm) // 2 * 1000 // SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class LiveText:
    """All words of the utterance as the model reads them now. More sound may change all but the first `final`.

    `replica` is the id of the process that read them, empty outside a deployment.
    """

    words: tuple[Word, ...]
    final: int = 0
    replica: str = ""
