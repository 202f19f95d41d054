"""Options that several commands have, worded once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

MediaFile = Annotated[Path, typer.Argument(help="A video or audio file.")]
SpokenLanguage = Annotated[
    str | None,
    typer.Option(
        help="Spoken language, such as is-IS, or auto to detect it. By default, whichever the model supports."
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Where to write, - for standard output. By default, next to FILE."),
]
Force = Annotated[bool, typer.Option(help="Overwrite files that exist.")]
