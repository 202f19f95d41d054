"""What one process of `attempt.py` tells of itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """Memory in MB above what the process held after a first short file, seconds of wall time, counts."""

    base_mb: float
    ingest_mb: float
    transcribe_mb: float
    ingest_s: float
    transcribe_s: float
    first_chunk_s: float
    windows: int
    lines: int
    largest_message_bytes: int
    result_bytes: int
