"""`benchmarks.soak tasks`: many files through all four model tasks at once, quietly and while replicas fail."""

from __future__ import annotations

import signal
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.soak.report import Report
from pipelines.testing.four_tasks.cluster import four_tasks
from pipelines.testing.four_tasks.run import run_talks
from pipelines.testing.four_tasks.strikes import Strike
from pipelines.testing.four_tasks.talks import talks
from serve.tasks.diarization.messages import DIARIZATION
from serve.tasks.translation.messages import TRANSLATION
from serve.testing.chat_endpoint import chat_endpoint
from serve.testing.chat_replies import every_line
from serve.testing.speech import speak_clips
from serve.testing.tiny_models.archives import models_folder

FIRST = 20
ROUNDS: dict[str, dict[str, signal.Signals]] = {
    "quiet": {},
    "translation killed, speakers frozen": {TRANSLATION: signal.SIGKILL, DIARIZATION: signal.SIGSTOP},
    "translation frozen, speakers killed": {TRANSLATION: signal.SIGSTOP, DIARIZATION: signal.SIGKILL},
}


def command(
    files: Annotated[int, typer.Option(min=1, max=48, help="Files at once.")] = 32,
    users: Annotated[int, typer.Option(min=1, help="People who own them.")] = 8,
) -> None:
    """Send files through transcription, speakers, translation and AI text; compare every result word for word."""
    report = Report("tasks")
    report.note("Tiny trained models; texts by a stand-in endpoint that repeats the statements of its prompt.")
    broken = False
    with tempfile.TemporaryDirectory(prefix="sg-tasks-") as name:
        folder = Path(name)
        clips = speak_clips(folder / "clips")
        with (
            chat_endpoint(every_line) as endpoint,
            four_tasks(folder / "installation", models_folder(folder / "models"), endpoint) as storage,
        ):
            for number, (title, faults) in enumerate(ROUNDS.items()):
                strikes = [Strike(task, sends) for task, sends in faults.items()]
                began = time.monotonic()
                chosen = talks(clips, files, users, prefix=f"round-{number}-")
                problems = run_talks(chosen, storage, folder / "sound", strikes)
                seconds = round(time.monotonic() - began)
                detail = {"files": files, "users": users, "seconds": seconds, "problems": problems[:FIRST]}
                report.figure(f"{title}: wrong or incomplete", len(problems), "findings", **detail)
                broken = broken or bool(problems)
    report.write()
    if broken:
        raise typer.Exit(1)
