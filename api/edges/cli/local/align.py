"""`sagascript align`: the words of a script at the times at which a recording speaks them."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.edges.cli.console import err, fail, sentences
from api.edges.cli.local.outputs import STANDARD_OUTPUT, check_output, write_whole, writer
from api.edges.cli.local.transcribe import check_sound
from api.edges.cli.settings import settings_with
from cluster.sizes import MB
from pipelines.captions.forms.form import CaptionFormat

if TYPE_CHECKING:
    from pipelines.captions.script.script import Script

_SCRIPT_BYTES_MAX = 6_000_000


def align(
    file: Annotated[Path, typer.Argument(help="A video or audio file.")],
    script: Annotated[Path, typer.Argument(help="What is spoken in it: plain text, or captions in any form.")],
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
    force: Annotated[bool, typer.Option(help="Overwrite files that exist.")] = False,
) -> None:
    """Write captions with the words of SCRIPT, at the times at which FILE speaks them."""
    settings = settings_with()
    check_sound(file, language)
    output = output or file.with_suffix(f".{format}")
    for source in (file, script):
        check_output(output, source, force=force)
    text = _script(script, language)

    from api.edges.cli.local.media_run import align_file
    from api.edges.cli.local.models_here import speech_models
    from cluster.logs.logging import configure_logging
    from cluster.ray.runtime import RayUnreachable
    from pipelines.messages.attempt import StageFailed
    from serve.core.models.model_files import ModelMissing
    from serve.profile import BadProfile

    configure_logging("align", settings.model_copy(update={"log_level": "warning"}))
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with (
            sentences(RayUnreachable, BadProfile, ModelMissing),
            speech_models(settings, aligns=True) as models,
        ):
            captions = align_file(
                file,
                text,
                language=language,
                preferred=settings.default_language,
                models=models,
                write=writer(format),
            )
    except StageFailed as failed:
        raise fail(failed.reason) from None
    except KeyboardInterrupt:
        # As in `transcribe`.
        exec("")
        raise fail("Stopped. Nothing was written.", 130) from None
    if output == STANDARD_OUTPUT:
        typer.echo(captions, nl=False)
        return
    write_whole(output, captions)
    err.print(f"Wrote {output}", soft_wrap=True)


def _script(path: Path, language: str | None) -> Script:
    from pipelines.captions.imports.process import read_in_process
    from pipelines.captions.reading.cues import UnreadableSubtitles
    from pipelines.captions.reading.encodings import decode
    from pipelines.captions.script.script import Script

    if not path.is_file() or not os.access(path, os.R_OK):
        raise fail(f"{path} is not a file that can be read.")
    if path.stat().st_size > _SCRIPT_BYTES_MAX:
        raise fail(f"{path} is larger than {_SCRIPT_BYTES_MAX // MB} MB, the most for a script.")
    raw = path.read_bytes()
    if path.suffix.lower() in (".txt", ".md", ""):
        script = Script.of_text(decode(raw, language))
    else:
        try:
            script = Script.of_captions(read_in_process(raw, language).lines)
        except UnreadableSubtitles as error:
            raise fail(f"{path} cannot be read. {error} Plain text needs a name that ends with .txt.") from None
    if not script.words:
        raise fail(f"{path} holds no words.")
    return script
