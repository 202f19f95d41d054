"""A loop of the engine alone over the same sound, piece by piece, as one utterance after the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from pipelines.media.sound.journal import PIECE_BYTES
from serve.tasks.live.engine import StreamingEngine
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.transcription.messages import SAMPLE_RATE

UTTERANCE_BYTES = 28 * SAMPLE_RATE * 2


def bare_seconds(engine: StreamingEngine[Any], sound: bytes) -> float:
    """How long the engine takes for it."""
    begun = time.perf_counter()
    for piece in _pieces(sound):
        (outcome,) = engine.run([piece])
        if not isinstance(outcome, LiveText):
            raise outcome
    return time.perf_counter() - begun


def _pieces(sound: bytes) -> Iterator[LiveSound]:
    for start in range(0, len(sound), UTTERANCE_BYTES):
        utterance = sound[start : start + UTTERANCE_BYTES]
        for at in range(0, len(utterance), PIECE_BYTES):
            pcm = utterance[at : at + PIECE_BYTES]
            yield LiveSound("bare", start // 32, at // 2, pcm, is_last=at + PIECE_BYTES >= len(utterance))
