"""`python -m benchmarks.soak media-mutants`: thousands of broken files, none of which may break the product."""

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

from benchmarks.soak.media_mutants.mutate import mutant
from benchmarks.soak.media_mutants.seeds import make_seeds
from benchmarks.soak.media_mutants.work import Defect, MutantResult, Outcome, Worker
from benchmarks.soak.report import Report
from cluster.resources import cores

_worker: Worker | None = None


def _start(folder: str, seeds: dict[str, bytes], seed: int) -> None:
    global _worker
    _worker = Worker(Path(tempfile.mkdtemp(dir=folder)), seeds, seed)


def _run(form: str, number: int) -> MutantResult:
    assert _worker is not None
    return _worker.run(form, number)


def run_mutants(
    count: int, *, seed: int, workers: int, seeds: dict[str, bytes], folder: Path
) -> Iterator[MutantResult]:
    """The results of `count` mutants, in the order in which they end; every form gets the same share."""
    forms = list(seeds)
    context = get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=_start, initargs=(str(folder), seeds, seed)) as pool:
        futures = [pool.submit(_run, forms[number % len(forms)], number // len(forms)) for number in range(count)]
        for ended in as_completed(futures):
            yield ended.result()


def command(
    mutants: Annotated[int, typer.Option(help="How many broken files, over all forms.")] = 3000,
    seed: Annotated[int, typer.Option(help="Another seed breaks the files in other ways.")] = 1,
    workers: Annotated[int, typer.Option(help="Parallel processes; 0 means one per core.")] = 0,
    keep: Annotated[Path | None, typer.Option(help="Folder for files that broke something.")] = None,
) -> None:
    """Sniff, probe and decode every mutant and make its poster; copy or export those that pass."""
    report = Report("media-mutants")
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="media-mutants-") as folder:
        seeds = make_seeds(Path(folder))
        every = list(run_mutants(mutants, seed=seed, workers=workers or cores(), seeds=seeds, folder=Path(folder)))
    seconds = time.monotonic() - began
    for outcome in Outcome:
        of_outcome = Counter(seen.form for seen in every if seen.outcome is outcome)
        report.figure(outcome, of_outcome.total(), "files", by_form=dict(sorted(of_outcome.items())))
    for defect in Defect:
        broken = [seen for seen in every if defect in seen.defects]
        detail = [f"{seen.form} {seen.number}: {seen.defects[defect]}" for seen in broken]
        report.figure(defect, len(broken), "files", must_be=0, files=detail)
    slowest = max(every, key=lambda seen: seen.slow_s)
    report.figure("longest flow", slowest.slow_s, "s", file=f"{slowest.form} {slowest.number}")
    report.figure("all files", seconds, "s", workers=workers or cores())
    report.note(f"{mutants} mutants of {len(seeds)} seeds ({', '.join(seeds)}), seed {seed}.")
    report.write()
    bad = [seen for seen in every if seen.defects]
    for seen in bad:
        sys.stderr.write(f"{seen.form} {seen.number}: {seen.defects}\n")
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            broken_bytes = mutant(seeds[seen.form], seen.form, seen.number, seed)
            (keep / f"{seed}-{seen.number}.{seen.form}").write_bytes(broken_bytes)
    if bad:
        raise typer.Exit(1)
