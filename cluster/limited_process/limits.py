"""What one child process may use of the machine."""

from __future__ import annotations

from dataclasses import dataclass

MEMORY_BYTES = 2 * 1024**3
"""Resident memory of one process, unless its limits say otherwise.

Measured with ffmpeg on 8 threads: burning into 4K reserves 2.6 GB and uses 1.6, reading 8K HEVC of 10 bits 2.6 and 1.8.
"""
ADDRESS_SPACE_BYTES = 4 * 1024**3
"""Memory it may reserve. The kernel enforces this at once; resident memory is checked a few times a second."""

STALL_S = 300
"""A process without a report for this long is stuck (ffmpeg reports twice a second)."""


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one process may use: CPU seconds over all threads, wall seconds, bytes."""

    cpu_s: int
    wall_s: int
    memory_bytes: int = MEMORY_BYTES
    address_space_bytes: int = ADDRESS_SPACE_BYTES
    file_bytes: int | None = None
    niceness: int = 0
