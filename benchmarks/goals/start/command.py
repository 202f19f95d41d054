"""`python -m benchmarks start`: goal 25, cold start to the first caption, and goal 26, killed workers and servers."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from benchmarks.goals.long_file.sound import looped
from benchmarks.goals.pairs import Pairs, alternate
from benchmarks.goals.report import Report
from benchmarks.goals.start.first_caption import of_bare_script, of_transcribe, of_up, up
from benchmarks.goals.start.killed_web import kill_the_web_process
from benchmarks.goals.start.killed_worker import kill_a_worker
from cluster.ports import free_ports
from cluster.processes import memory_held
from cluster.sizes import MB
from pipelines.media.sample import SAMPLE
from serve.testing.tiny_models.archives import models_folder

LONG_S = 600
UP = "sagascript up"
REST_S = 75.0
"""After the sample. The model's process knows after a minute that no more of a file comes."""


def command(
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count, of `transcribe` and of `up`.")] = 5,
    kills: Annotated[int, typer.Option(min=0, help="Workers, and web processes, killed one after the other.")] = 3,
) -> None:
    report = Report("start")
    with tempfile.TemporaryDirectory(prefix="start-") as work:
        folder = Path(work)
        models = models_folder(folder / "models")

        def bare() -> float:
            return of_bare_script(SAMPLE, models)

        _tell(report, "sagascript transcribe", alternate(lambda: of_transcribe(SAMPLE, models), bare, pairs=pairs))
        _tell(report, UP, alternate(lambda: of_up(models), bare, pairs=pairs))
        with up(folder / "idle", models, offline=True) as (process, _):
            time.sleep(REST_S)
            held, processes = memory_held(process.pid)
            report.goal("40", held / MB, processes=processes)
        if kills:
            _kill(report, folder, models, kills)
    report.note(
        "Tiny trained Whisper on disk, the sample video of 28 s. `transcribe` needs no cluster and starts none;"
    )
    report.note(
        "`up` starts Ray, Serve, web process and dispatcher, makes an account and sends the sample through them."
    )
    report.note("A kill is SIGKILL to the Ray worker; the job goes on when the next window is in the database.")
    report.write()


def _tell(report: Report, name: str, found: Pairs) -> None:
    if name == UP:
        report.goal("31", median(found.ours), each=list(found.ours))
    report.goal("25", found.ratio, path=name, **found.detail())
    report.goal("25-seconds", median(found.ours), path=name)
    report.figure(f"{name}: first caption", median(found.ours), "s")
    report.figure("bare script: first caption", median(found.theirs), "s")


def _kill(report: Report, folder: Path, models: Path, kills: int) -> None:
    wav = folder / "long.wav"
    sound = looped(folder / "sound", LONG_S)
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", sound, "-ac", "1", "-ar", "16000", "-bitexact", wav], check=True
    )
    (port,) = free_ports(1)
    with up(folder / "data", models, port) as (process, _):
        web = kill_the_web_process(process.pid, folder / "data", f"http://127.0.0.1:{port}", kills)
        found = [asyncio.run(kill_a_worker(process.pid, folder / "data", wav)) for _ in range(kills)]
    report.goal("26-lost", max(each.done_again for each in found), windows=[each.windows for each in found])
    report.goal("26-continue", median(each.continued_s for each in found), each=[each.continued_s for each in found])
    report.goal("26-web", max(each.saves_s for each in web), each=[each.saves_s for each in web])
    report.figure("web process killed: until it answers", max(each.answers_s for each in web), "s")
    report.figure("web process killed: calls that failed", sum(each.failed for each in web), "calls")
