"""`sagascript transcribe`: from file to captions without a browser, through the same flows and models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from api.edges.cli.console import err, fail
from api.edges.cli.local.options import Force, MediaFile, Output, SpokenLanguage
from api.edges.cli.local.outputs import check_output, put_out, writer
from api.edges.cli.local.work import work
from api.edges.cli.settings import settings_with
from pipelines.captions.forms.form import CaptionFormat


def transcribe(
    file: MediaFile,
    language: SpokenLanguage = None,
    format: Annotated[CaptionFormat, typer.Option(help="Format of the captions.")] = CaptionFormat.SRT,
    output: Output = None,
    burn: Annotated[
        Path | None, typer.Option(metavar="OUT.mp4", help="Also write the video with the captions burned in.")
    ] = None,
    force: Force = False,
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
    from cluster.ray.runtime import RayUnreachable
    from serve.core.models.model_files import ModelMissing
    from serve.profile import BadProfile

    with work("transcribe", settings, RayUnreachable, BadProfile, ModelMissing), speech_models(settings) as models:
        captions = transcribe_file(
            file,
            language=language,
            preferred=settings.default_language,
            client=models.speech,
            write=writer(format),
            burn=burn,
        )
    put_out(output, captions)
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
