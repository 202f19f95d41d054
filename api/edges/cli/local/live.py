"""`sagascript live`: captions of anything that ffmpeg opens, while it runs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from api.edges.cli.console import fail
from api.edges.cli.local.options import Force
from api.edges.cli.local.outputs import STANDARD_OUTPUT, check_output, put_out, writer
from api.edges.cli.local.work import work
from api.edges.cli.settings import settings_with
from pipelines.captions.forms.form import CaptionFormat


def live(
    source: Annotated[
        str,
        typer.Argument(
            metavar="INPUT",
            help="What ffmpeg opens: an address (rtmp, srt, an HLS playlist), a device, or a file, read as it plays.",
        ),
    ],
    language: Annotated[str, typer.Option(help="Spoken language, such as en-US.")] = "en-US",
    input_format: Annotated[
        str | None, typer.Option(help="Format of the input, where ffmpeg cannot tell it: alsa for a device of Linux.")
    ] = None,
    format: Annotated[CaptionFormat, typer.Option(help="Format of the captions.")] = CaptionFormat.SRT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write, - for standard output. By default, live-DATE-TIME here."),
    ] = None,
    force: Force = False,
) -> None:
    """Print what is said in INPUT while it runs, and write its captions in the end. Ctrl-C ends it."""
    settings = settings_with()
    check_live(language)
    file = Path(source)
    is_file = "://" not in source and input_format is None
    if is_file and not file.is_file():
        raise fail(f"There is no file {source}. For a device, name its --input-format.")
    output = output or Path(f"live-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}.{format}")
    check_output(output, file, force=force)

    from api.edges.cli.local.live_run import LiveInput, caption_live
    from api.edges.cli.local.models_here import live_models
    from cluster.ray.runtime import RayUnreachable
    from serve.core.models.model_files import ModelMissing
    from serve.profile import BadProfile

    taken = LiveInput(source, input_format, is_paced=is_file)
    with work("live", settings, RayUnreachable, BadProfile, ModelMissing), live_models(settings) as models:
        captions = caption_live(taken, language, models, write=writer(format), to_errors=output == STANDARD_OUTPUT)
    put_out(output, captions)


def check_live(language: str) -> None:
    """Reject early a language that cannot be followed."""
    from pipelines.languages import AUTO, is_known

    if language == AUTO:
        raise fail("The language cannot be detected live. Name it with --language.")
    if not is_known(language):
        raise fail(f"“{language}” is not a language Sagascript supports. Use a code like is-IS or en-US.")
