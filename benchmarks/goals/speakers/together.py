"""Goal 24: core-seconds of speech and speakers on one file, together and each alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from serve.testing.random_whisper import BASE, reciter
from serve.testing.sound import write
from serve.testing.tiny_speakers.dialogue import VOICES, talk

SIDES = ("speech", "speakers")
TOKENS = 60
"""Of each window of speech."""


def measure_together(report: Report, folder: Path, *, seconds: int, pairs: int) -> None:
    file = folder / "together.wav"
    write(file, talk(VOICES, seconds // 2, seed=7).samples[: seconds * 16_000])
    models = folder / "models"
    models.mkdir()
    (models / "whisper").symlink_to(reciter(BASE, TOKENS))
    costs: dict[str, list[float]] = {side: [] for side in SIDES}

    def alone() -> float:
        total = 0.0
        for side in SIDES:
            (spent,) = _finished([_started(side, file, models)])
            costs[side].append(spent)
            total += spent
        return total

    def together() -> float:
        return sum(_finished([_started(side, file, models) for side in SIDES]))

    found = alternate(together, alone, pairs=pairs)
    report.goal("24", found.ratio, **found.detail())
    for side, spent in costs.items():
        report.figure(f"{side} alone", sorted(spent)[len(spent) // 2] * 3_600 / seconds, "core-s per hour of sound")


def _started(side: str, file: Path, models: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "benchmarks.goals.speakers.side", side, str(file), str(models)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _finished(sides: list[subprocess.Popen[str]]) -> list[float]:
    """Let sides whose models are loaded begin at the same moment; core-seconds of each."""
    for side in sides:
        assert side.stdout is not None
        side.stdout.readline()
    spent = []
    for side in sides:
        assert side.stdin is not None
        side.stdin.write("begin\n")
        side.stdin.flush()
    for side in sides:
        output, _ = side.communicate()
        if side.returncode:
            raise RuntimeError(f"A side of the benchmark ended with status {side.returncode}.")
        spent.append(float(json.loads(output.splitlines()[-1])))
    return spent
