"""`python -m benchmarks.soak exports`: exports of many kinds from odd originals, each judged frame by frame."""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.soak.exports.work import Made, Worker
from benchmarks.soak.report import Report
from cluster.resources import cores
from pipelines.testing.media.films import FILMS

_worker: Worker | None = None


def _start(folder: str, films: str, seed: int) -> None:
    global _worker
    _worker = Worker(Path(tempfile.mkdtemp(dir=folder)), Path(films), seed)


def _run(number: int) -> Made:
    assert _worker is not None
    return _worker.run(number)


def run_exports(first: int, count: int, *, seed: int, workers: int, folder: Path) -> Iterator[Made]:
    """The results of `count` orders from number `first`, in the order in which they end."""
    films = folder / "films"
    films.mkdir()
    for film in FILMS.values():
        film.make(films)
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_start, initargs=(str(folder), str(films), seed)) as pool:
        for ended in as_completed([pool.submit(_run, number) for number in range(first, first + count)]):
            yield ended.result()


def command(
    exports: Annotated[int, typer.Option(help="How many orders.")] = 600,
    first: Annotated[int, typer.Option(help="Number of the first one.")] = 0,
    seed: Annotated[int, typer.Option(help="Another seed orders other exports.")] = 1,
    workers: Annotated[int, typer.Option(help="Parallel processes; 0 means one per core.")] = 0,
) -> None:
    """Check frames, times, tracks, languages, the place of captions in time, and that nothing is left behind."""
    report = Report("exports")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="exports-") as folder:
        every = list(run_exports(first, exports, seed=seed, workers=workers or cores(), folder=Path(folder)))
    wrong = sorted((made for made in every if made.faults), key=lambda made: made.number)
    kinds = Counter(made.kind for made in every)
    report.figure("exports", sum(made.exports for made in every), "exports", kinds=len(kinds))
    detail = [f"{made.number} {made.kind}: {made.faults}" for made in wrong]
    report.figure("with a fault", len(wrong), "orders", must_be=0, orders=detail)
    slowest = max(every, key=lambda made: made.seconds)
    report.figure("longest export", slowest.seconds, "s", order=f"{slowest.number} {slowest.kind}")
    report.figure("all of them", time.monotonic() - began, "s", workers=workers or cores())
    report.note(f"{exports} orders from number {first}, seed {seed}, over {len(FILMS)} generated originals.")
    report.write()
    for line in detail:
        sys.stderr.write(f"{line}\n")
    if wrong:
        raise typer.Exit(1)
