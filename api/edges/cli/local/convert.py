"""`sagascript convert`: a subtitle file in another form, with italics, place and speakers where both hold them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.edges.cli.console import err, fail
from api.edges.cli.local.outputs import check_output, put_out
from api.edges.cli.local.work import read_text_file
from pipelines.captions.forms.form import CaptionFormat, Document, Reading, RollUp
from pipelines.captions.texts.speaker_names import SpeakerStyle


def convert(
    file: Annotated[Path, typer.Argument(help="A subtitle file. Its beginning tells its form.")],
    output: Annotated[Path, typer.Argument(help="Where to write, - for standard output.")],
    format: Annotated[
        CaptionFormat | None, typer.Option("--to", help="Form of the output. By default, from its name.")
    ] = None,
    language: Annotated[
        str, typer.Option(help="Language of the captions, such as is-IS. It decides how old encodings are read.")
    ] = "und",
    speakers: Annotated[SpeakerStyle, typer.Option(help="How the output shows who speaks.")] = SpeakerStyle.LABELS,
    fps: Annotated[
        float | None,
        typer.Option(
            min=1, max=120, help="Frames per second, for forms that count frames. By default, FILE's own, or 25."
        ),
    ] = None,
    roll_up: Annotated[
        RollUp,
        typer.Option(help="Read rows of SCC that roll up once each, or each screen with the rows that stay on it."),
    ] = RollUp.ONCE,
    force: Annotated[bool, typer.Option(help="Overwrite a file that exists.")] = False,
) -> None:
    """Convert the subtitle file FILE to another form."""
    from pipelines.captions.forms.registry import FORM_OF, losses, write
    from pipelines.captions.imports.process import read_in_process
    from pipelines.captions.reading.cues import UnreadableSubtitles, with_words

    raw = read_text_file(file, what="subtitle file")
    suffix = output.suffix.lower()
    named = next((form for form, kind in FORM_OF.items() if suffix in kind.suffixes), None)
    chosen = format or named
    if chosen is None:
        known = ", ".join(kind.suffix for kind in FORM_OF.values())
        raise fail(f"The name of {output} does not tell its form. End it with one of {known}, or use --to.")
    check_output(output, file, force=force)
    try:
        imported = read_in_process(raw, language, Reading(fps, roll_up))
    except UnreadableSubtitles as error:
        raise fail(f"{file} cannot be converted. {error}") from None
    lines = [with_words(line) for line in imported.lines]
    document = Document(lines, language, imported.speakers, speakers, file.stem, fps or 25.0)
    content = write(chosen, document)
    for note in (*imported.notes, *losses(chosen, document)):
        err.print(note, soft_wrap=True, markup=False)
    put_out(output, content)
