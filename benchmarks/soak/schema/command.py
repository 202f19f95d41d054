"""`python -m benchmarks.soak schema`: does every answer conform to the OpenAPI document?"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from api.openapi import openapi_document
from api.testing.proof.schema_calls import SchemaCalls
from api.testing.proof.schema_people import opened_people
from benchmarks.soak.report import Report

GUILTY = 1


def command(
    examples: Annotated[
        int, typer.Option(min=1, help="Right calls of each kind for each person; half as many wrong ones.")
    ] = 30,
    seed: Annotated[int, typer.Option(help="Another seed makes other calls.")] = 1,
) -> None:
    """Make right and wrong calls of every kind as a user, an administrator and a team's owner who pays.

    Exits with 1 if an answer was a server error or none that the document describes.
    """
    with (
        tempfile.TemporaryDirectory(prefix="sg-schema-") as folder,
        asyncio.Runner() as runner,
        opened_people(Path(folder), runner) as people,
    ):
        outcome = SchemaCalls(openapi_document(), runner, examples=examples, seed=seed).run(people)
    for problem in outcome.problems:
        Console(stderr=True).print(problem, markup=False)
    report = Report("schema")
    for name, counts in outcome.statuses.items():
        report.figure(f"calls as {name}", sum(counts.values()), "calls", by_status=dict(sorted(counts.items())))
    report.figure("undescribed answers", len(outcome.problems), "answers", must_be=0)
    report.note(f"{examples} right and half as many wrong calls of each kind for each person, seed {seed}.")
    report.write()
    sys.exit(GUILTY if outcome.problems else 0)
