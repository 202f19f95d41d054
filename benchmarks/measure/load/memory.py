"""Peak memory of a piece of work: resident memory of this process, and memory of the GPU."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from cluster.testing.processes import peak_rss_bytes

_RESET_PEAK = "5"
"""Written to `clear_refs`, resets the peak of the resident memory (proc(5))."""


def reset_peak() -> bool:
    """Start to measure the peak anew; False where the system does not allow it."""
    try:
        Path("/proc/self/clear_refs").write_text(_RESET_PEAK)
    except OSError:
        return False
    return True


def peak_bytes() -> int:
    """Peak resident memory of this process since `reset_peak`, else since its start."""
    return peak_rss_bytes(os.getpid())


def gpu_bytes() -> int | None:
    """Memory in use on all GPUs; None where there is none. Engines keep what they once took: call it after the work."""
    if shutil.which("nvidia-smi") is None:
        return None
    query = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)
    if answer.returncode:
        return None
    return sum(int(line) for line in answer.stdout.split()) * 2**20
