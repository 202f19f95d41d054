"""Options that the commands on models share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Through(StrEnum):
    """Where the product's model runs while it is measured."""

    PROCESS = "process"
    CLUSTER = "cluster"


ProfileName = Annotated[str, typer.Option(help="Profile: auto, embedded, cpu, gpu or a YAML file.")]
Device = Annotated[str, typer.Option(help="cpu or cuda, instead of the profile's.")]
ComputeType = Annotated[str, typer.Option(help="int8, float16 and so on, instead of the profile's.")]
Way = Annotated[Through, typer.Option(help="In this program, or through the running installation's cluster.")]
Turns = Annotated[
    int,
    typer.Option(
        min=0,
        help="Then measure speed this often more, all systems in turns; compare needs 5, and finds 10 % in 30.",
    ),
]
ResultFile = Annotated[
    Path | None,
    typer.Option(
        help="Result file; the report is beside it as .html. By default a new file in benchmarks/results/models.",
        show_default=False,
    ),
]
