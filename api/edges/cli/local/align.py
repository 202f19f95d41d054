"""`sagascript align`: the words of a script at the times at which a recording speaks them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.edges.cli.console import fail
from api.edges.cli.local.options import Force, MediaFile, Output, SpokenLanguage
from api.edges.cli.local.outputs import check_output, put_out, writer
from api.edges.cli.local.transcribe import check_sound
from api.edges.cli.local.work import read_text_file, work
from api.edges.cli.settings import settings_with
from pipelines.captions.forms.form import CaptionFormat

if TYPE_CHECKING:
    from pipelines.captions.script.script import Script


def align(
    file: MediaFile,
    script: Annotated[Path, typer.Argument(help="What is spoken in it: plain text, or captions in any form.")],
    language: SpokenLanguage = None,
    format: Annotated[CaptionFormat, typer.Option(help="Format of the captions.")] = CaptionFormat.SRT,
    output: Output = None,
    force: Force = False,
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
    from cluster.ray.runtime import RayUnreachable
    from serve.core.models.model_files import ModelMissing
    from serve.profile import BadProfile

    expected = (RayUnreachable, BadProfile, ModelMissing)
    with work("align", settings, *expected), speech_models(settings, aligns=True) as models:
        captions = align_file(
            file,
            text,
            language=language,
            preferred=settings.default_language,
            models=models,
            write=writer(format),
        )
    put_out(output, captions)


def _script(path: Path, language: str | None) -> Script:
    from pipelines.captions.imports.process import read_in_process
    from pipelines.captions.reading.cues import UnreadableSubtitles
    from pipelines.captions.reading.encodings import decode
    from pipelines.captions.script.script import Script

    raw = read_text_file(path, what="script")
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
