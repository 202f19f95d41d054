"""`sagascript transcribe`: from file to captions without a browser, through the same flows and models."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from api.cli.console import err, fail, out, sentences
from api.cli.settings import settings_with

STANDARD_OUTPUT = Path("-")


class Format(StrEnum):
    SRT = "srt"
    VTT = "vtt"
    TXT = "txt"
    JSON = "json"


def transcribe(
    file: Annotated[Path, typer.Argument(help="A video or audio file.")],
    language: Annotated[
        str | None,
        typer.Option(
            help="Spoken language, such as is-IS, or auto to detect it. By default, whichever the model supports."
        ),
    ] = None,
    format: Annotated[Format, typer.Option(help="Format of the captions.")] = Format.SRT,
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
    _check_input(file, language)
    output = output or file.with_suffix(f".{format}")
    for target in (output, burn):
        if target is not None:
            _check_output(target, file, force=force)

    from api.cli.local_run import transcribe_file
    from api.cli.models_here import speech_model
    from cluster.logging import configure_logging
    from cluster.ray_runtime import RayUnreachable
    from pipelines.flows.messages import StageFailed
    from serve.models import ModelMissing
    from serve.profile import BadProfile

    configure_logging("transcribe", settings.model_copy(update={"log_level": "warning"}))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with sentences(RayUnreachable, BadProfile, ModelMissing), speech_model(settings) as client:
            captions = transcribe_file(
                file,
                language=language,
                preferred=settings.default_language,
                client=client,
                write=_writer(format),
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
    _write_whole(output, captions)
    err.print(f"Wrote {output}", soft_wrap=True)
    if burn is not None:
        err.print(f"Wrote {burn}", soft_wrap=True)


def _check_input(file: Path, language: str | None) -> None:
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


def _check_output(target: Path, source: Path, *, force: bool) -> None:
    """Reject early what would fail after minutes of work."""
    if target == STANDARD_OUTPUT:
        return
    if target.exists() and target.samefile(source):
        raise fail(f"{target} is the input itself. Choose another name for the output.")
    if target.is_dir():
        raise fail(f"{target} is a folder. Give the name of a file.")
    if target.exists() and not force:
        raise fail(f"{target} already exists. Use --force to overwrite it, or -o for another name.")
    if not os.access(target.parent, os.W_OK):
        raise fail(f"{target} cannot be written: the folder {target.parent} is missing or not writable for you.")


def _writer(format: Format) -> Callable[..., str]:
    """The function that formats lines in a language as text."""
    from pipelines.captions.json_form import format_json
    from pipelines.captions.plain import format_plain
    from pipelines.captions.srt import format_srt
    from pipelines.captions.vtt import format_vtt

    writers: dict[Format, Callable[..., str]] = {
        Format.SRT: lambda lines, _language: format_srt(lines),
        Format.VTT: format_vtt,
        Format.TXT: lambda lines, _language: format_plain(lines),
        Format.JSON: format_json,
    }
    return writers[format]


def _write_whole(target: Path, text: str) -> None:
    """Write the file completely or not at all."""
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(target)
    except OSError as error:
        draft.unlink(missing_ok=True)
        out.print(text, end="", markup=False)
        raise fail(f"{target} cannot be written ({error.strerror}). The captions are printed above.") from None
