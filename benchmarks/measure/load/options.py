"""Command line options that several load measurements share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Model = Annotated[
    str | None,
    typer.Option(help="Model folder, size or hub name; by default what the product would choose. Nothing is fetched."),
]
Engine = Annotated[str | None, typer.Option(help="Engine of the speech section, such as whisper or pocketsphinx.")]
ProfileName = Annotated[
    str, typer.Option("--profile", help="embedded, cpu, gpu, auto, or a YAML file: what is not varied.")
]
Audio = Annotated[Path | None, typer.Option(help="Folder of audio, with subfolders; by default sentences spoken here.")]
Longest = Annotated[float, typer.Option(min=0.5, max=30, help="Audio is cut into pieces of this many seconds.")]
Language = Annotated[str | None, typer.Option(help="Language code of all audio; by default detected.")]
Seed = Annotated[int, typer.Option(help="Decides all arrivals and the order of clips.")]
Output = Annotated[
    Path | None,
    typer.Option(help="Result file; beside it a page of the same name. Default: benchmarks/results/models."),
]
WordTimes = Annotated[bool, typer.Option(help="Whether times of single words are made, as for captions.")]
