"""`sagascript export`: a video or audio file and its subtitle files become one file, without a running installation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.edges.cli.console import err, fail
from api.edges.cli.local.options import Force, MediaFile
from api.edges.cli.local.outputs import check_output, move_whole
from api.edges.cli.local.work import work
from api.edges.cli.settings import settings_with
from pipelines.messages.export_form import (
    FORMS_OF_MODE,
    Aspect,
    ExportForm,
    ExportMode,
    FileForm,
    Fit,
    PictureForm,
    Quality,
)

_WRONG_SUFFIX = "{mode} exports are written as {forms}. Give the output one of these suffixes."
_NO_CAPTIONS = "Give at least one subtitle file with --captions."
_ONE_LANGUAGE = "Only one subtitle file can be drawn into the picture. Use --mode soft for several."


def export(
    file: MediaFile,
    captions: Annotated[
        list[Path] | None, typer.Option("--captions", "-c", help="A subtitle file; its name may hold the language.")
    ] = None,
    mode: Annotated[ExportMode, typer.Option(help="Captions in the picture, as tracks, or the sound alone.")] = (
        ExportMode.BURNED
    ),
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write; the suffix chooses the file form.")
    ] = None,
    aspect: Annotated[Aspect, typer.Option(help="Shape of the picture.")] = Aspect.ORIGINAL,
    fit: Annotated[Fit, typer.Option(help="How the picture gets another shape.")] = Fit.PAD,
    height: Annotated[int | None, typer.Option(min=2, help="Short side of the picture in pixels.")] = None,
    quality: Annotated[Quality, typer.Option(help="Size against fidelity.")] = Quality.STANDARD,
    force: Force = False,
) -> None:
    """Write FILE with its captions, or its sound alone."""
    settings = settings_with()
    if not file.is_file():
        raise fail(f"There is no file {file}.")
    offered = FORMS_OF_MODE[mode]
    output = output or file.with_name(f"{file.stem}.export.{offered[0]}")
    check_output(output, file, force=force)
    suffix = output.suffix.removeprefix(".").lower()
    if suffix not in offered:
        raise fail(_WRONG_SUFFIX.format(mode=mode.capitalize(), forms=", ".join(offered)))
    subtitles = captions or []
    if mode is not ExportMode.AUDIO and not subtitles:
        raise fail(_NO_CAPTIONS)
    if mode is ExportMode.BURNED and len(subtitles) > 1:
        raise fail(_ONE_LANGUAGE)

    from api.edges.cli.local.export_run import export_file
    from pipelines.captions.reading.cues import UnreadableSubtitles

    form = ExportForm(FileForm(suffix), PictureForm(aspect, fit, height, quality))
    with (
        work("export", settings, UnreadableSubtitles),
        export_file(settings, file, subtitles, mode, form) as made,
    ):
        move_whole(made, output)
    err.print(f"Wrote {output}", soft_wrap=True)
