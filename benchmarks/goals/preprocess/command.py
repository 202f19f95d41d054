"""`python -m benchmarks preprocess`: goal 8, core-seconds before the model for an hour of sound."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer

from benchmarks.goals.pairs import alternate
from benchmarks.goals.preprocess.sound import spoken
from benchmarks.goals.report import Report

HOUR_S = 3600


def command(
    seconds: Annotated[int, typer.Option(min=60, help="Length of the file.")] = HOUR_S,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count.")] = 5,
) -> None:
    report = Report("preprocess")
    with tempfile.TemporaryDirectory(prefix="preprocess-") as work:
        folder = Path(work)
        file, warm = spoken(folder, seconds), spoken(folder, 30)
        runs: dict[str, list[dict[str, Any]]] = {"ours": [], "bare": []}

        def run(side: str) -> float:
            command = [sys.executable, "-m", "benchmarks.goals.preprocess.side", side, str(file), str(warm)]
            made = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            runs[side].append(json.loads(made.stdout.splitlines()[-1]))
            return float(sum(runs[side][-1]["steps"].values()))

        found = alternate(lambda: run("ours"), lambda: run("bare"), pairs=pairs)
    report.goal("8", found.ratio, **found.detail())
    for side, made in runs.items():
        for step in made[0]["steps"]:
            value = median(each["steps"][step] for each in made) * HOUR_S / seconds
            report.figure(f"{side}: {step}", value, "core-s per hour of sound")
        report.figure(f"{side}: wall", median(each["wall_s"] for each in made) * HOUR_S / seconds, "s per hour")
    report.note("Each side in a fresh process that has done a short file before; child processes are counted.")
    report.note(f"{seconds} s of speech, AAC stereo 44.1 kHz 128 kbit/s. Ours also probes and draws.")
    report.write()
