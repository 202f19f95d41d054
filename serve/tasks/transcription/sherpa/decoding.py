"""One call of sherpa-onnx."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from serve.tasks.transcription.messages import SAMPLE_RATE

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHORTEST_SAMPLES = SAMPLE_RATE // 2
"""Shorter windows are padded with silence: encoders see one frame for each 80 ms, and need several."""


def decoded(recognizer: Any, streams: Sequence[Any], waves: Sequence[NDArray[np.float32]]) -> list[Any]:
    """The result of each stream for its wave."""
    import numpy as np

    for stream, wave in zip(streams, waves, strict=True):
        stream.accept_waveform(SAMPLE_RATE, np.pad(wave, (0, max(0, SHORTEST_SAMPLES - len(wave)))))
    if streams:
        recognizer.decode_streams(list(streams))
    return [stream.result for stream in streams]
