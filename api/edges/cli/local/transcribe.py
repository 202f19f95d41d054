"""`sagascript transcribe`: from file to captions without a browser, through the same flows and models."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Annotated

import typer

from api.edges.cli.console import err, fail, sentences
from api.edges.cli.local.outputs import STANDARD_OUTPUT, check_output, write_whole, writer
from api.edges.cli.settings import settings_with
from pipelines.captions.forms.form import CaptionFormat


def transcribe(
    file: Annotated[Path, typer.Argument(help="A video or audio file.")],
    language: Annotated[
        str | None,
        typer.Option(
            help="Spoken language, such as is-IS, or auto to detect it. By default, whichever the model supports."
        ),
    ] = None,
    format: Annotated[CaptionFormat, typer.Option(help="Format of the captions.")] = CaptionFormat.SRT,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write, - for standard output. By default, next to FILE."),
    ] = None,
    burn: Annotated[
        Path | None, typer.Option(metavar="OUT.mp4", help="Also write the video with the captions burned in.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Overwrite files that exist.")] = False,
) -> None:
    """Transcribe FILE and write its captions."""
    settings = settings_with()
    check_sound(file, language)
    output = output or file.with_suffix(f".{format}")
    for target in (output, burn):
        if target is not None:
            check_output(target, file, force=force)

    from api.edges.cli.local.media_run import transcribe_file
    from api.edges.cli.local.models_here import speech_models
    from cluster.logs.logging import configure_logging
    from cluster.ray.runtime import RayUnreachable
    from pipelines.messages.attempt import StageFailed
    from serve.core.models.model_files import ModelMissing
    from serve.profile import BadProfile

    configure_logging("transcribe", settings.model_copy(update={"log_level": "warning"}))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with sentences(RayUnreachable, BadProfile, ModelMissing), speech_models(settings) as models:
            captions = transcribe_file(
                file,
                language=language,
                preferred=settings.default_language,
                client=models.speech,
                write=writer(format),
                burn=burn,
            )
    except StageFailed as failed:
        raise fail(failed.reason) from None
    except KeyboardInterrupt:
        # Python remembers an interrupt of code run from a string, as in dataclasses during imports, and `python -m`
        # would then die by the signal whatever we return. Running another string clears that.
        exec("")
        raise fail("Stopped. Nothing was written.", 130) from None
    if output == STANDARD_OUTPUT:
        typer.echo(captions, nl=False)
        return
    write_whole(output, captions)
    err.print(f"Wrote {output}", soft_wrap=True)
    if burn is not None:
        err.print(f"Wrote {burn}", soft_wrap=True)


def check_sound(file: Path, language: str | None) -> None:
    """Reject early what cannot be transcribed."""
    from pipelines.languages import AUTO, is_known
    from pipelines.media.sniff import NotMedia, sniff

    if not file.exists():
        raise fail(f"There is no file {file}.")
    if not file.is_file():
        raise fail(f"{file} is not a file.")
    if not os.access(file, os.R_OK):
        raise fail(f"{file} cannot be read. Change its permissions.")
    if language not in (None, AUTO) and not is_known(language):
        raise fail(f"“{language}” is not a language Sagascript supports. Use a code like is-IS or en-US, or auto.")
    try:
        sniff(file)
    except NotMedia as error:
        raise fail(f"{file} cannot be transcribed. {error.sentence}") from None
