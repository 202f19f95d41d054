"""How fast the device multiplies and copies, and how much of its memory is taken."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch

from benchmarks.measure.gpu_whisper.limit import DeviceSpeed
from cluster.testing.processes import rss_bytes

REPEATS = 5


def chosen_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def synchronize(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def used_bytes(device: str, pid: int) -> int:
    """Memory in use: of the whole GPU, or of this process where there is none."""
    if device == "cuda":
        free, total = torch.cuda.mem_get_info()
        return int(total - free)
    return rss_bytes(pid)


def measured_speed(device: str) -> DeviceSpeed:
    """The best of several large products and copies, in the type that the models run in."""
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    size, values = (8192, 2**29) if device == "cuda" else (512, 2**22)
    left, right = (torch.randn(size, size, device=device, dtype=dtype) for _ in "lr")
    source = torch.zeros(values, device=device, dtype=dtype)
    target = torch.empty_like(source)
    product = _best_seconds(device, lambda: torch.matmul(left, right))
    copy = _best_seconds(device, lambda: target.copy_(source))
    return DeviceSpeed(2 * size**3 / product, 2 * values * source.itemsize / copy)


def _best_seconds(device: str, work: Callable[[], object]) -> float:
    times = []
    for _ in range(REPEATS):
        synchronize(device)
        begun = time.perf_counter()
        work()
        synchronize(device)
        times.append(time.perf_counter() - begun)
    return min(times[1:])
