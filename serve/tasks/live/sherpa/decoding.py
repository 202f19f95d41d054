"""Calls of sherpa-onnx's streaming recogniser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from serve.tasks.transcription.messages import SAMPLE_RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LATE_MS = 400
"""Models write a word some time after they have heard it."""


def feed(stream: Any, wave: NDArray[np.float32], *, is_last: bool, window_ms: int) -> None:
    """Give a stream the next sound of its utterance; after the last one, the silence that its last word waits for."""
    import numpy as np

    stream.accept_waveform(SAMPLE_RATE, wave)
    if is_last:
        stream.accept_waveform(SAMPLE_RATE, np.zeros((window_ms + LATE_MS) * SAMPLE_RATE // 1000, np.float32))
        stream.input_finished()


def decode(recognizer: Any, streams: Sequence[Any]) -> None:
    """Read what the streams hold, all that are ready in one call of the model."""
    while ready := [stream for stream in streams if recognizer.is_ready(stream)]:
        recognizer.decode_streams(ready)
