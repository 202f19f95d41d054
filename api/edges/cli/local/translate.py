"""`sagascript translate`: from a subtitle file to one in another language, through the same flow and models."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.edges.cli.console import err, fail
from api.edges.cli.local.options import Force, Output
from api.edges.cli.local.outputs import check_output, put_out, writer
from api.edges.cli.local.work import CAPTION_BYTES_MAX, work
from api.edges.cli.settings import settings_with
from cluster.sizes import MB
from pipelines.captions.forms.form import CaptionFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.captions.imports.subtitles import Imported
    from pipelines.messages.lines import CaptionLine
    from pipelines.messages.translate import GlossaryTerm, TargetLine, TranslateResult

_FLAGS_SHOWN = 8


def translate(
    file: Annotated[Path, typer.Argument(help="A subtitle file, such as SRT, WebVTT, ASS, TTML, SCC or EBU-STL.")],
    to: Annotated[str, typer.Option("--to", help="Language of the translation, such as es.")],
    source: Annotated[
        str | None,
        typer.Option("--from", help="Language of FILE, such as en. By default, from its name (talk.en.srt) or text."),
    ] = None,
    output: Output = None,
    format: Annotated[
        CaptionFormat | None, typer.Option(help="Format of the translation. By default, that of the output's name.")
    ] = None,
    glossary: Annotated[
        Path | None, typer.Option(metavar="TERMS.csv", help="Terms: a CSV file with the columns source and target.")
    ] = None,
    force: Force = False,
) -> None:
    """Translate the captions of FILE."""
    settings = settings_with()
    output, format = _output(file, to, output, format)
    _check_input(file, to, source)
    check_output(output, file, force=force)
    imported = _read(file, source)
    terms = _terms(glossary)
    source = source or _language_of(file, imported.lines)
    for note in imported.notes:
        err.print(note, soft_wrap=True, markup=False)

    from api.edges.cli.local.models_here import translation_model
    from api.edges.cli.local.translation_run import translate_lines
    from cluster.ray.runtime import RayUnreachable
    from serve.profile import BadProfile
    from serve.tasks.translation.load import TranslationMissing

    expected = (RayUnreachable, BadProfile, TranslationMissing)
    with work("translate", settings, *expected), translation_model(settings) as client:
        result = translate_lines(imported.lines, source, to, glossary=terms, client=client)
    text = writer(format)(_captions(result.lines), result.language)
    _tell(result)
    put_out(output, text)


def _output(file: Path, to: str, output: Path | None, format: CaptionFormat | None) -> tuple[Path, CaptionFormat]:
    if output is None:
        from pipelines.languages import without_language

        suffix = f".{format}" if format else file.suffix if file.suffix in _SUFFIXES else ".srt"
        output = file.with_name(f"{without_language(file.stem)}.{to}{suffix}")
    return output, format or _SUFFIXES.get(output.suffix.lower(), CaptionFormat.SRT)


_SUFFIXES = {f".{each}": each for each in CaptionFormat}


def _check_input(file: Path, to: str, source: str | None) -> None:
    from pipelines.languages import is_known

    if not file.exists():
        raise fail(f"There is no file {file}.")
    if not file.is_file():
        raise fail(f"{file} is not a file.")
    if not os.access(file, os.R_OK):
        raise fail(f"{file} cannot be read. Change its permissions.")
    for code in (to, source):
        if code is not None and not is_known(code):
            raise fail(f"“{code}” is not a language Sagascript supports. Use a code like es, is or en-US.")


def _read(file: Path, source: str | None) -> Imported:
    from pipelines.captions.imports.process import read_in_process
    from pipelines.captions.reading.cues import UnreadableSubtitles

    if file.stat().st_size > CAPTION_BYTES_MAX:
        raise fail(f"{file} is larger than {CAPTION_BYTES_MAX // MB} MB, the most for a subtitle file.")
    try:
        imported = read_in_process(file.read_bytes(), source)
    except UnreadableSubtitles as error:
        raise fail(f"{file} cannot be translated. {error}") from None
    if not imported.lines:
        raise fail(f"{file} holds no captions.")
    return imported


def _terms(glossary: Path | None) -> tuple[GlossaryTerm, ...]:
    from pipelines.captions.reading.encodings import decode
    from pipelines.translation.terms.glossary_file import UnreadableGlossary, read_glossary

    if glossary is None:
        return ()
    try:
        return read_glossary(decode(glossary.read_bytes()))
    except OSError as error:
        raise fail(f"{glossary} cannot be read ({error.strerror}).") from None
    except UnreadableGlossary as error:
        raise fail(f"{glossary} cannot be used. {error}") from None


def _language_of(file: Path, lines: Sequence[CaptionLine]) -> str:
    from pipelines.languages import language_in, language_label
    from pipelines.translation.language_guess import guess_language

    code = language_in(file.stem)
    if code is not None:
        return code
    code = guess_language(line.text for line in lines)
    if code is None:
        raise fail(f"The language of {file} is not clear. Name it with --from, such as --from en.")
    err.print(f"The captions are taken for {language_label(code)}. Name another language with --from.")
    return code


def _captions(lines: Sequence[TargetLine]) -> list[CaptionLine]:
    from pipelines.captions.reading.cues import with_words
    from pipelines.messages.lines import CaptionLine

    shown = (line for line in lines if line.text)
    return [
        with_words(CaptionLine(str(number), line.start_ms, line.end_ms, line.text))
        for number, line in enumerate(shown, 1)
    ]


def _tell(result: TranslateResult) -> None:
    """Say what a person should look at."""
    from pipelines.captions.timestamps import format_time
    from pipelines.messages.translate import FLAG_WORDS

    if result.engine.note:
        err.print(result.engine.note, soft_wrap=True, markup=False)
    for note in result.notes:
        err.print(note, soft_wrap=True, markup=False)
    flagged = [line for line in result.lines if line.flags]
    for line in flagged[:_FLAGS_SHOWN]:
        reasons = ", ".join(FLAG_WORDS[flag] for flag in line.flags)
        err.print(f"Check {format_time(line.start_ms)}: {reasons}", soft_wrap=True, markup=False)
    if len(flagged) > _FLAGS_SHOWN:
        err.print(f"{len(flagged) - _FLAGS_SHOWN:,} more lines need a check.", soft_wrap=True)
