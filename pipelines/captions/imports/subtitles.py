"""Read a subtitle file of any form. Its beginning tells which."""

from __future__ import annotations

from dataclasses import dataclass, field

from cluster.wording.message import Message
from pipelines.captions.forms.form import USUAL_READING, Kept, Reading, Source
from pipelines.captions.forms.registry import form_of_file, form_of_text
from pipelines.captions.imports.notes import notes_of
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.encodings import decode
from pipelines.captions.reading.fit import fit
from pipelines.captions.reading.import_report import ImportReport
from pipelines.messages.lines import CaptionLine

RTF = Message(
    "pipelines.captions.rtf", "This is an RTF document. Save it as plain text (.srt or .vtt) and import that file."
)
WORD = Message(
    "pipelines.captions.word",
    "This is a Word document or another ZIP file. Save the captions as a subtitle file and import that.",
)


@dataclass(frozen=True, slots=True)
class Imported:
    """Lines of a file, and sentences on how they differ from it.

    Lines have words only where the file says more of them than text. `speakers` has the names by the labels that the
    lines use. `keeps` is what the file's form can hold: what it cannot hold stays as it was in the captions.
    """

    lines: tuple[CaptionLine, ...]
    notes: tuple[str, ...] = ()
    speakers: dict[str, str] = field(default_factory=dict)
    form: str = "srt"
    keeps: frozenset[Kept] = frozenset()


def parse_subtitles(raw: bytes, language: str | None = None, reading: Reading = USUAL_READING) -> Imported:
    """The captions of a subtitle file within our limits.

    Raises `UnreadableSubtitles` for text without caption times and for too many captions.
    """
    if raw.lstrip()[:5] == b"{\\rtf":
        raise UnreadableSubtitles(RTF)
    if raw[:4] == b"PK\x03\x04":
        raise UnreadableSubtitles(WORD)
    report = ImportReport()
    form = form_of_file(raw)
    text = ""
    if form is None:
        text = decode(raw, language, report).removeprefix("\ufeff").lstrip()
        form = form_of_text(text)
    assert form.read is not None
    lines = fit(form.read(Source(raw, text, language, reading), report), report)
    names = {label: name for name, label in report.speakers.items()}
    return Imported(tuple(lines), tuple(notes_of(report)), names, form.id, form.keeps)
