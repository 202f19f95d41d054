"""What Parakeet can do, the same whether it is loaded or not."""

from __future__ import annotations

from cluster.wording.message import Message
from serve.core.messages import EngineInfo, WordTimes
from serve.tasks.transcription.messages import MAX_WINDOW_MS

PARAKEET = "parakeet"
LICENCE = "CC-BY-4.0"
NOTE = Message(
    "transcription.parakeet_note",
    "Parakeet is a model by NVIDIA, used under the licence CC-BY-4.0. It takes no list of names and terms, detects no "
    "language and translates nothing.",
)


def parakeet_info(model: str, reason: str, languages: frozenset[str]) -> EngineInfo:
    """It runs on the CPU whatever the profile says: sherpa-onnx's package for Python has no CUDA."""
    return EngineInfo(
        task="transcription",
        engine=PARAKEET,
        model=model,
        device="cpu",
        reason=reason,
        languages=languages,
        word_times=WordTimes.NATIVE,
        window_ms=MAX_WINDOW_MS,
        is_batched=True,
        licence=LICENCE,
        note=NOTE,
    )
