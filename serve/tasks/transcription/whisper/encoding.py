"""The encoder's output for a batch of windows, and any rows of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from serve.tasks.transcription.messages import SAMPLE_RATE

if TYPE_CHECKING:
    from faster_whisper import WhisperModel
    from numpy.typing import NDArray

FRAMES_PER_SECOND = 100
"""Frames of the spectrum; the encoder's output has half as many."""
SHORTEST_SAMPLES = SAMPLE_RATE // 10
"""Shorter windows are padded with silence: the spectrum needs more than one frame."""


class Encoded:
    """Encoder output of shape (windows, frames, width), on the model's device unless single rows are taken."""

    def __init__(self, whole: Any, rows: NDArray[Any] | None = None) -> None:
        self._whole = whole
        self._rows = rows

    def rows(self, indexes: Sequence[int]) -> Any:
        """A CTranslate2 `StorageView` of these windows, in this order. It shares memory with this object."""
        import ctranslate2

        if list(indexes) == list(range(self._whole.shape[0])):
            return self._whole
        if self._rows is None:
            view = self._whole.to_device(ctranslate2.Device.cpu)
            if view.dtype == ctranslate2.DataType.bfloat16:  # numpy has no such type
                view = view.to(ctranslate2.DataType.float32)
            self._rows = np.array(view)
        chosen = self._rows[indexes[0] : indexes[0] + 1] if len(indexes) == 1 else self._rows[list(indexes)]
        return ctranslate2.StorageView.from_array(chosen)


def encode(model: WhisperModel, waves: Sequence[NDArray[np.float32]], *, context_ms: int) -> Encoded:
    """Run the encoder over windows that fit into the context. Each wave is float32, shape (samples,), -1 to 1."""
    import ctranslate2

    features = [_features(model, wave, context_ms * FRAMES_PER_SECOND // 1000) for wave in waves]
    if model.model.device == "cuda" or len(waves) == 1:
        return Encoded(model.encode(np.stack(features)))
    # On a CPU, encoding a batch costs 13 to 27 % more than its windows one by one: it falls out of the cache.
    rows = np.concatenate([np.array(model.encode(feature)) for feature in features])
    return Encoded(ctranslate2.StorageView.from_array(rows), rows)


def _features(model: WhisperModel, wave: NDArray[np.float32], frames: int) -> NDArray[np.float32]:
    """The spectrum, shape (mels, frames). Frames beyond the wave are 0, as in faster-whisper."""
    if len(wave) < SHORTEST_SAMPLES:
        wave = np.pad(wave, (0, SHORTEST_SAMPLES - len(wave)))
    spectrum = model.feature_extractor(wave)[:, :-1]
    padded = np.zeros((spectrum.shape[0], frames), np.float32)
    padded[:, : spectrum.shape[1]] = spectrum[:, :frames]
    return padded
