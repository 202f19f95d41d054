"""How fast the device multiplies and copies, and how much of its memory is taken."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version

import torch

from benchmarks.goals.gpu.run import Run
from cluster.testing.processes import rss_bytes

REPEATS = 5
PACKAGES = ("torch", "transformers", "ctranslate2", "faster-whisper", "vllm", "ray")


def chosen_device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


def described(device: str) -> Iterator[str]:
    """Sentences about what the figures were measured with."""
    if device == "cuda":
        properties = torch.cuda.get_device_properties(0)
        yield (
            f"{properties.name}, {properties.total_memory / 2**30:.0f} GiB, {properties.multi_processor_count} "
            f"multiprocessors, CUDA {torch.version.cuda}, {os.cpu_count()} processors."
        )
    else:
        yield "There is no GPU here: everything ran on the processor, and the figures say nothing about a GPU."
    yield f"Python {platform.python_version()}, {', '.join(_versions())}."


def used_bytes(device: str) -> int:
    """Memory in use: of the whole GPU, or of this process where there is none."""
    if device == "cuda":
        free, total = torch.cuda.mem_get_info()
        return int(total - free)
    return rss_bytes(os.getpid())


def measure_speed(run: Run) -> None:
    """The best of several large products and copies, in the type that the models run in."""
    dtype = getattr(torch, run.precision)
    size, values = (8192, 2**29) if run.device == "cuda" else (2048, 2**22)
    left, right = (torch.randn(size, size, device=run.device, dtype=dtype) for _ in "lr")
    source = torch.randn(values, device=run.device, dtype=dtype)
    target = torch.empty_like(source)
    product = _best_seconds(run, lambda: torch.matmul(left, right))
    copy = _best_seconds(run, lambda: target.copy_(source))
    run.report.figure("multiplying", 2 * size**3 / product / 1e12, "T operations/s")
    run.report.figure("copying", 2 * values * source.itemsize / copy / 1e9, "GB/s")


def _best_seconds(run: Run, work: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(REPEATS):
        with run.timed(times):
            work()
    return min(times[1:])


def _versions() -> Iterator[str]:
    for package in PACKAGES:
        try:
            yield f"{package} {version(package)}"
        except PackageNotFoundError:
            yield f"no {package}"


def processor_share(begun: tuple[float, float]) -> float:
    """Processors that this process kept busy since `process_clock()` gave `begun`."""
    wall, busy = process_clock()
    return (busy - begun[1]) / max(1e-9, wall - begun[0])


def process_clock() -> tuple[float, float]:
    """Seconds of the wall clock, and of all this process's threads."""
    return time.perf_counter(), time.process_time()
