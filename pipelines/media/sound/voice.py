"""Finds how likely each 32 ms of a file holds a voice: Silero VAD over a stream, so memory does not grow with length.

The model and its input (512 samples a frame with 64 samples of the frame before, one LSTM state through the whole
file) are those of faster-whisper's `vad.py`. That module needs the whole file at once: 700 MB for three hours.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from cluster.privacy import keep_private
from pipelines.media.sound.pcm import BYTES_PER_SAMPLE, SAMPLES_PER_MS, PcmFile

FRAME = 512
"""Samples the model judges at once."""
FRAME_MS = FRAME // SAMPLES_PER_MS
_CONTEXT = 64
_BLOCK_FRAMES = 128
"""Frames judged in one call: with 4 s its layers stay in the cache; 32 s cost 8 % more, the whole file 25 %."""
_CERTAIN = 255
"""Value of a probability of 1, stored in a byte: the rules that read it need steps of 5 %."""


class VoiceFinder:
    """Judges streamed sound. Memory: one byte for 32 ms, 1.1 MB for ten hours."""

    def __init__(self, block_frames: int = _BLOCK_FRAMES) -> None:
        """Each call of the model judges so many frames: fewer cost more and are known sooner."""
        self._block_bytes = block_frames * FRAME * BYTES_PER_SAMPLE
        self._model = _model()
        self._hidden = np.zeros((1, 1, 128), dtype=np.float32)
        self._cell = np.zeros((1, 1, 128), dtype=np.float32)
        self._context = np.zeros(_CONTEXT, dtype=np.float32)
        self._open = bytearray()
        self._voices = bytearray()

    def add(self, pcm: bytes) -> None:
        """The next samples: mono signed 16-bit little-endian at 16 kHz, whole samples only."""
        self._open += pcm
        while len(self._open) >= self._block_bytes:
            self._judge(bytes(self._open[: self._block_bytes]))
            del self._open[: self._block_bytes]

    def finish(self) -> bytes:
        """One byte for every started frame, 0 to 255 for a probability of 0 to 1."""
        if self._open:
            self._judge(bytes(self._open))
            self._open.clear()
        return bytes(self._voices)

    def since(self, frame: int) -> bytes:
        """The probabilities so far, from that frame on."""
        return bytes(self._voices[frame:])

    def _judge(self, pcm: bytes) -> None:
        block = np.frombuffer(pcm, dtype="<i2").astype(np.float32) / 32_768.0
        frames = np.pad(block, (0, -len(block) % FRAME)).reshape(-1, FRAME)
        before = np.vstack([self._context, frames[:-1, -_CONTEXT:]])
        self._context = frames[-1, -_CONTEXT:]
        given = {"input": np.hstack([before, frames]), "h": self._hidden, "c": self._cell}
        voices, self._hidden, self._cell = self._model.run(None, given)
        self._voices += np.rint(np.asarray(voices).ravel() * _CERTAIN).astype(np.uint8).tobytes()


def voice_probabilities(audio: PcmFile) -> Iterator[float]:
    """One probability for every started `FRAME_MS` of the file, in order: those in the file, else computed now."""
    stored = audio.voice()
    if stored is not None and len(stored) == -(-audio.samples // FRAME):
        yield from probabilities_of(stored)
        return
    finder = VoiceFinder()
    done = 0
    for start in range(0, audio.samples, FRAME * _BLOCK_FRAMES):
        finder.add(audio.read_samples(start, FRAME * _BLOCK_FRAMES))
        if start + FRAME * _BLOCK_FRAMES >= audio.samples:
            finder.finish()
        block = finder.since(done)
        done += len(block)
        yield from probabilities_of(block)


def probabilities_of(voices: bytes) -> Iterator[float]:
    """The bytes of a `VoiceFinder` as probabilities from 0 to 1."""
    return (value / _CERTAIN for value in voices)


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
