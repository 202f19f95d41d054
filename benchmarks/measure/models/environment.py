"""Where and with what a measurement ran: machine, GPUs, versions and commit."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.measure.outcomes.outcome import Data, Machine, Metric, Outcome, SystemRun
from cluster.testing.report import processor_name

PACKAGES = (
    "ctranslate2",
    "faster-whisper",
    "jiwer",
    "numpy",
    "onnxruntime",
    "openai-whisper",
    "pocketsphinx",
    "pyannote.audio",
    "ray",
    "sacrebleu",
    "sentencepiece",
    "sherpa-onnx",
    "torch",
    "torchaudio",
    "transformers",
    "whisper-normalizer",
)
_CHECKOUT = Path(__file__).parents[3]
_GPU_FIELDS = "name,memory.total,driver_version"


def finished(
    kind: str,
    title: str,
    *,
    data: Data,
    metrics: Sequence[Metric],
    systems: Sequence[SystemRun],
    notes: Sequence[str] = (),
) -> Outcome:
    """The outcome of a run that ended now in this process, with the metrics that any item has."""
    measured = {key for run in systems for item in run.items for key in item.values}
    return Outcome(
        kind=kind,
        title=title,
        command=shlex.join(["python", "-m", "benchmarks", *sys.argv[1:]]),
        finished_at=datetime.now(UTC).replace(microsecond=0),
        commit=commit(),
        machine=machine(),
        versions=versions(),
        data=data,
        metrics=tuple(metric for metric in metrics if metric.key in measured),
        systems=tuple(systems),
        notes=tuple(notes),
    )


def machine() -> Machine:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Machine(
        processor=processor_name(),
        cores=len(os.sched_getaffinity(0)),
        memory_gib=round(memory / 2**30, 1),
        system=platform.platform(),
        gpus=_gpus(),
        load=tuple(round(each, 2) for each in os.getloadavg()),
    )


def versions() -> dict[str, str]:
    """Python and the libraries that run or score models, where they are installed."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def commit() -> str:
    """The checkout's commit, with `+` after it when files differ from it; empty outside a checkout."""
    head = _output("git", "-C", str(_CHECKOUT), "rev-parse", "HEAD")
    changed = _output("git", "-C", str(_CHECKOUT), "status", "--porcelain", "--untracked-files=no")
    return f"{head}+" if head and changed else head


def _gpus() -> tuple[str, ...]:
    return tuple(_output("nvidia-smi", f"--query-gpu={_GPU_FIELDS}", "--format=csv,noheader").splitlines())


def _output(*command: str) -> str:
    """What a program prints; nothing where it is not installed or fails."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
