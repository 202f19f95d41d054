"""`python -m benchmarks.soak captions`: subtitle files, generated, broken and mutated, through the import's reader."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks.soak.report import Report
from cluster.resources import cores

BATCH = 2_000
FILES, MUTANTS = "benchmarks.soak.captions.batch", "benchmarks.soak.captions.mutants"
"""The modules that read a batch of files: of all forms, and of damaged TTML and SCC."""
_BATCH_HANGS_S = 600


def batches(
    seed: int,
    first: int,
    count: int,
    *,
    workers: int,
    batch: int = BATCH,
    journal: Path | None = None,
    module: str = FILES,
) -> Iterator[dict[str, Any]]:
    """The results of all batches, each from a process of its own that runs `module`.

    A process that hangs or dies is a defect.

    Each result becomes a row of `journal`; a batch whose row is there already is not run again.
    """
    rows = [json.loads(row) for row in journal.read_text().splitlines()] if journal and journal.exists() else []
    earlier = {(row["module"], *row["batch"]): row for row in rows}

    def result_of(start: int) -> dict[str, Any]:
        of = (seed, start, min(batch, first + count - start))
        if (module, *of) in earlier:
            kept: dict[str, Any] = earlier[(module, *of)]
            return kept
        result = {"module": module, "batch": of, **_batch(module, *of)}
        if journal is not None:
            with _writing, journal.open("a") as written:
                written.write(json.dumps(result) + "\n")
        return result

    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(result_of, range(first, first + count, batch))


_writing = threading.Lock()


def _batch(module: str, seed: int, first: int, count: int) -> dict[str, Any]:
    command = [sys.executable, "-m", module, str(seed), str(first), str(count)]
    try:
        done = subprocess.run(command, capture_output=True, check=True, timeout=_BATCH_HANGS_S)
    except subprocess.TimeoutExpired:
        return _dead(first, f"hangs somewhere in the {count} files from here")
    except subprocess.CalledProcessError as died:
        return _dead(first, f"dies with {died.returncode} in the {count} files from here: {died.stderr[-500:]!r}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def _dead(first: int, why: str) -> dict[str, Any]:
    return {"seen": {}, "defects": {str(first): why}, "slowest_s": 0.0, "slowest": first}


def command(
    files: Annotated[int, typer.Option(help="How many files, over all forms.")] = 500_000,
    mutants: Annotated[int, typer.Option(help="How many damaged files of TTML and SCC besides.")] = 20_000,
    first: Annotated[int, typer.Option(help="Number of the first file: a campaign goes on where one stopped.")] = 0,
    seed: Annotated[int, typer.Option(help="Another seed makes other files.")] = 1,
    workers: Annotated[int, typer.Option(help="Parallel processes; 0 means one per core.")] = 0,
    journal: Annotated[
        Path | None, typer.Option(help="Keep each batch's result in this file, and go on from it after a break.")
    ] = None,
) -> None:
    """Read every file, write what was read in another form and read that: nothing may crash, hang or lose a line.

    A whole file that we wrote may lose no style or place either, and a mutant no letter without a note.
    """
    report = Report("captions")
    began = time.monotonic()
    seen: Counter[str] = Counter()
    defects: dict[str, str] = {}
    slowest: tuple[float, int] = (0.0, first)
    at_once = workers or cores()
    for module, count in ((FILES, files), (MUTANTS, mutants)):
        for result in batches(seed, first, count, workers=at_once, journal=journal, module=module):
            seen.update(result["seen"])
            defects.update({f"{module} {number}": why for number, why in result["defects"].items()})
            slowest = max(slowest, (result["slowest_s"], result["slowest"]))
    for what in ("read", "refused with a sentence", "lines"):
        report.figure(what, seen[what], "lines" if what == "lines" else "files")
    kinds = {kind: count for kind, count in sorted(seen.items()) if ", " in kind}
    report.figure("kinds", len(kinds), "forms, whole and broken", files=kinds)
    report.figure("defects", len(defects), "files", must_be=0, files=dict(list(defects.items())[:50]))
    report.figure("slowest file", slowest[0], "s of CPU", file=slowest[1])
    report.figure("all files", time.monotonic() - began, "s", workers=at_once)
    report.note(
        f"{files} files and {mutants} mutants of TTML and SCC from number {first}, seed {seed}; of the files a third "
        "is whole, a fifth as other programs write them."
    )
    report.write()
    for number, why in defects.items():
        sys.stderr.write(f"{number}: {why}\n")
    if defects:
        raise typer.Exit(1)
