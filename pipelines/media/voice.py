"""How likely each 32 ms of a file holds a voice: Silero VAD over a stream, so that memory does not grow with length.

The model and how it is fed (512 samples a frame with 64 samples of the frame before, one LSTM state through the whole
file) are those of faster-whisper's `vad.py`; that module wants the whole file at once, which for three hours is 700 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from cluster.privacy import keep_private
from pipelines.media.pcm import SAMPLES_PER_MS, PcmFile

FRAME = 512
"""Samples the model judges at once."""
FRAME_MS = FRAME // SAMPLES_PER_MS
_CONTEXT = 64
_BLOCK_FRAMES = 1_000
"""Frames read at once: 32 s, 2 MB as float32."""


def voice_probabilities(audio: PcmFile) -> Iterator[float]:
    """One probability for every started `FRAME_MS` of the file, in order."""
    model = _model()
    hidden = np.zeros((1, 1, 128), dtype=np.float32)
    cell = np.zeros((1, 1, 128), dtype=np.float32)
    context = np.zeros(_CONTEXT, dtype=np.float32)
    for start in range(0, audio.samples, FRAME * _BLOCK_FRAMES):
        samples = np.frombuffer(audio.read_samples(start, FRAME * _BLOCK_FRAMES), dtype="<i2")
        block = samples.astype(np.float32) / 32_768.0
        frames = np.pad(block, (0, -len(block) % FRAME)).reshape(-1, FRAME)
        before = np.vstack([context, frames[:-1, -_CONTEXT:]])
        context = frames[-1, -_CONTEXT:]
        voices, hidden, cell = model.run(None, {"input": np.hstack([before, frames]), "h": hidden, "c": cell})
        yield from np.asarray(voices).ravel().tolist()


@lru_cache(maxsize=1)
def _model() -> Any:
    keep_private()
    import onnxruntime

    package = find_spec("faster_whisper")
    if package is None or package.origin is None:
        raise RuntimeError("faster-whisper, whose package holds the voice model, is not installed.")
    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    path = Path(package.origin).parent / "assets" / "silero_vad_v6.onnx"
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"], sess_options=options)
