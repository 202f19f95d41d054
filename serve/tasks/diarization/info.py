"""What a speaker engine can do, the same whether it is loaded or not."""

from __future__ import annotations

from pathlib import Path

from serve.core.messages import EngineInfo
from serve.tasks.diarization.messages import MAX_PIECE_MS


def diarization_info(engine: str, folder: Path, device: str, reason: str) -> EngineInfo:
    """sherpa-onnx runs on the CPU whatever the profile says."""
    return EngineInfo(
        "diarization",
        engine,
        str(folder),
        device if engine == "pyannote" else "cpu",
        reason,
        window_ms=MAX_PIECE_MS,
        is_batched=engine == "pyannote",
    )
