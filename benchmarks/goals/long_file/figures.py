"""What a process of `attempt.py` reports about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AttemptFigures:
    """Memory in MB above that after a first short file, seconds of wall time, and counts."""

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
