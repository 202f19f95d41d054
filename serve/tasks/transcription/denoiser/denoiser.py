"""Takes noise out of the sound of a window, by sherpa-onnx's speech denoiser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from serve.tasks.transcription.denoiser.folder import DenoiserModel
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.tasks.transcription.sherpa.trial import try_program

_FULL_SCALE = 32768.0


class Denoiser:
    """The loaded model. It may be called from several threads."""

    def __init__(self, model: DenoiserModel) -> None:
        """Raises UnusableModel for files that the runtime does not take, which is tried in another process first."""
        try_program(__spec__.name, str(model.weights))
        self._denoiser = _loaded(model.weights)

    def __call__(self, pcm: bytes) -> bytes:
        """As many samples (16-bit, mono, `SAMPLE_RATE`) at the same times, with less noise."""
        heard = np.frombuffer(pcm, "<i2")
        if not len(heard):
            return pcm
        clean = _clean(self._denoiser, heard.astype(np.float32) / _FULL_SCALE)
        samples = np.zeros(len(heard), np.float32)
        samples[: len(clean)] = clean[: len(heard)]
        whole: NDArray[np.int16] = np.clip(np.rint(samples * _FULL_SCALE), -32768, 32767).astype("<i2")
        return whole.tobytes()


def _clean(denoiser: Any, samples: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(denoiser.run(samples, SAMPLE_RATE).samples, np.float32)


def _loaded(weights: Path) -> Any:
    import sherpa_onnx

    model = sherpa_onnx.OfflineSpeechDenoiserModelConfig(
        gtcrn=sherpa_onnx.OfflineSpeechDenoiserGtcrnModelConfig(model=str(weights)), num_threads=1
    )
    return sherpa_onnx.OfflineSpeechDenoiser(sherpa_onnx.OfflineSpeechDenoiserConfig(model=model))


def main(weights: str) -> None:
    from cluster.privacy import keep_private

    keep_private()
    noise = np.random.default_rng(0).normal(0, 0.1, SAMPLE_RATE).astype(np.float32)
    if not np.isfinite(clean := _clean(_loaded(Path(weights)), noise)).all() or len(clean) < SAMPLE_RATE // 2:
        raise ValueError("it gives no sound")


if __name__ == "__main__":
    import sys

    main(*sys.argv[1:])
