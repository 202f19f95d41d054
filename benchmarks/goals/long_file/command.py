"""`python -m benchmarks long-file`: memory on a 10-hour file, resume of a 3-hour file after a worker's kill -9."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.goals.long_file import run
from benchmarks.goals.long_file.figures import AttemptFigures
from benchmarks.goals.long_file.saving import seconds_to_save
from benchmarks.goals.long_file.sound import BLOCK_S, looped
from benchmarks.goals.report import Report
from serve.testing.tiny_models.archives import models_folder

BOUND_MB = 300
HOUR_S = 3600


def command(
    hours: Annotated[float, typer.Option(help="Length of the file whose memory is measured.")] = 10.0,
    resume_hours: Annotated[float, typer.Option(help="Length of the file whose worker is killed.")] = 3.0,
) -> None:
    report = Report("long-file")
    with tempfile.TemporaryDirectory(prefix="long-file-") as work:
        folder = Path(work)
        models = models_folder(folder / "models")
        warm = looped(folder / "sound", BLOCK_S)
        tenth = run.whole(looped(folder / "sound", int(hours * HOUR_S / 10)), warm, models, folder / "tenth")
        whole = run.whole(looped(folder / "sound", int(hours * HOUR_S)), warm, models, folder / "whole")
        _tell_memory(report, hours / 10, tenth)
        _tell_memory(report, hours, whole)
        report.figure("bound of either attempt's memory above its base", BOUND_MB, "MB")
        lines = max(10_000, whole.lines)
        report.figure(f"transaction that saves {lines:,} lines", asyncio.run(seconds_to_save(lines, folder)), "s")
        file = looped(folder / "sound", int(resume_hours * HOUR_S))
        resumed = run.killed_and_resumed(file, warm, models, folder / "resume", share=0.5)
        report.goal("26-lost", resumed.done_again, of=resumed.windows, kept=resumed.kept, asked=resumed.asked)
        report.figure("first new window of the next attempt", resumed.first_chunk_s, "s")
        report.note(
            f"{resume_hours:g}-hour file: the worker was killed with {resumed.kept} of {resumed.windows} windows kept; "
            f"the next attempt asked the model for {resumed.asked}. The text is "
            + ("the same as without the kill." if resumed.same_text else "NOT the same as without the kill.")
        )
    report.note(
        "Tiny trained Whisper in the process of the attempt; 24 kbit/s AAC, 5 sentences a minute, the rest silence."
    )
    report.note("Base: resident memory after a first file of two minutes. The limit of 4 hours is lifted.")
    report.write()


def _tell_memory(report: Report, hours: float, figures: AttemptFigures) -> None:
    detail = {"base_mb": figures.base_mb, "windows": figures.windows, "lines": figures.lines}
    report.figure(f"memory of `upload` above its base, {hours:g} h", figures.ingest_mb, "MB", **detail)
    report.figure(f"memory of `transcribe` above its base, {hours:g} h", figures.transcribe_mb, "MB", **detail)
    report.figure(f"time of `upload`, {hours:g} h", figures.ingest_s, "s")
    report.figure(f"time of `transcribe`, {hours:g} h", figures.transcribe_s, "s")
    report.figure(f"largest window through Ray, {hours:g} h", figures.largest_message_bytes / 1024, "KB")
    report.figure(f"result through Ray, {hours:g} h", figures.result_bytes / 1024, "KB")
