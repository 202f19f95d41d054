"""All caption forms in one list: downloads, archives, REST, imports and the command line use it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cluster.wording.message import Message, Wording
from pipelines.captions.forms import (
    ass,
    ebu_stl,
    json_file,
    lrc,
    micro_dvd,
    sami,
    sbv,
    table,
    ttml,
    ttml_reader,
)
from pipelines.captions.forms.form import CaptionForm, CaptionFormat, Document, FormGroup, Kept, Source
from pipelines.captions.forms.scenarist import reader, writer
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.srt import format_srt, read_srt
from pipelines.captions.reading.vtt import format_vtt, read_vtt
from pipelines.captions.texts.plain import format_plain
from pipelines.captions.texts.speaker_names import SpeakerStyle, with_speakers
from pipelines.messages.lines import CaptionLine

_TEXT = "; charset=utf-8"
_SUBTITLES, _BROADCAST, _DOCUMENTS = FormGroup.SUBTITLES, FormGroup.BROADCAST, FormGroup.DOCUMENTS
_LOOK = frozenset({Kept.STYLES, Kept.PLACE})
_NOTHING: frozenset[Kept] = frozenset()


def _lines_with_speakers(document: Document) -> list[CaptionLine]:
    return with_speakers(document.lines, document.names, document.speakers)


def _write_srt(document: Document) -> bytes:
    return format_srt(_lines_with_speakers(document)).encode()


def _write_vtt(document: Document) -> bytes:
    if document.speakers is SpeakerStyle.LABELS:
        return format_vtt(document.lines, document.language, voices=document.names).encode()
    return format_vtt(_lines_with_speakers(document), document.language).encode()


def _write_plain(document: Document) -> bytes:
    return format_plain(_lines_with_speakers(document)).encode()


def _read_srt(source: Source, report: ImportReport) -> list[CaptionLine]:
    return read_srt(source.text, report)


def _read_vtt(source: Source, report: ImportReport) -> list[CaptionLine]:
    return read_vtt(source.text, report)


_ASS = CaptionForm(
    CaptionFormat.ASS,
    "Advanced SubStation",
    (".ass", ".ssa"),
    f"text/x-ssa{_TEXT}",
    _SUBTITLES,
    _LOOK | {Kept.SPEAKERS},
    ass.write_ass_file,
    ass.read_ass,
    ass.BEGINS,
    loses=ass.ass_losses,
)
_TTML = CaptionForm(
    CaptionFormat.TTML,
    "TTML (IMSC 1.1)",
    (".ttml", ".dfxp", ".xml"),
    "application/ttml+xml",
    _BROADCAST,
    _LOOK | {Kept.SPEAKERS, Kept.FORCED},
    ttml.write_ttml,
    ttml_reader.read_ttml,
    ttml_reader.BEGINS,
    counts_frames=True,
)
_STL = CaptionForm(
    CaptionFormat.STL,
    "EBU-STL",
    (".stl",),
    "application/x-ebu-stl",
    _BROADCAST,
    _LOOK,
    ebu_stl.write_stl,
    ebu_stl.read_stl,
    counts_frames=True,
    loses=ebu_stl.stl_losses,
)
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

FORMS: Sequence[CaptionForm] = (
    CaptionForm(
        *(CaptionFormat.SRT, "SubRip", (".srt",), f"application/x-subrip{_TEXT}", _SUBTITLES, _LOOK),
        write=_write_srt,
        read=_read_srt,
    ),
    CaptionForm(
        *(CaptionFormat.VTT, "WebVTT", (".vtt",), f"text/vtt{_TEXT}", _SUBTITLES, _LOOK | {Kept.SPEAKERS}),
        write=_write_vtt,
        read=_read_vtt,
        begins=re.compile(r"\s*WEBVTT", re.IGNORECASE),
    ),
    _ASS,
    CaptionForm(
        *(CaptionFormat.SBV, "YouTube", (".sbv",), f"text/x-sbv{_TEXT}", _SUBTITLES, _NOTHING),
        write=sbv.write_sbv,
        read=sbv.read_sbv,
        begins=sbv.BEGINS,
    ),
    _TTML,
    _STL,
    CaptionForm(
        *(CaptionFormat.SCC, "Scenarist (CEA-608)", (".scc",), f"text/x-scc{_TEXT}", _BROADCAST, _LOOK),
        write=writer.write_scc,
        read=reader.read_scc,
        begins=reader.BEGINS,
        counts_frames=True,
        rolls_up=True,
        loses=writer.scc_losses,
    ),
    CaptionForm(
        *("sami", "SAMI", (".smi", ".sami"), f"application/x-sami{_TEXT}", _SUBTITLES, frozenset({Kept.STYLES})),
        read=sami.read_sami,
        begins=sami.BEGINS,
    ),
    CaptionForm(
        *("microdvd", "MicroDVD", (".sub",), f"text/x-microdvd{_TEXT}", _SUBTITLES, frozenset({Kept.STYLES})),
        read=micro_dvd.read_micro_dvd,
        begins=micro_dvd.FRAMES_BEGIN,
        counts_frames=True,
    ),
    CaptionForm(
        *("mpl2", "MPL2", (".mpl",), f"text/x-mpl2{_TEXT}", _SUBTITLES, frozenset({Kept.STYLES})),
        read=micro_dvd.read_mpl2,
        begins=micro_dvd.TENTHS_BEGIN,
    ),
    CaptionForm(
        *("lrc", "Lyrics (LRC)", (".lrc",), f"text/x-lrc{_TEXT}", _SUBTITLES, _NOTHING),
        read=lrc.read_lrc,
        begins=lrc.BEGINS,
    ),
    CaptionForm(
        *(CaptionFormat.TXT, Message("forms.txt", "Plain text"), (".txt",), f"text/plain{_TEXT}", _DOCUMENTS, _NOTHING),
        write=_write_plain,
    ),
    CaptionForm(
        *(CaptionFormat.DOCX, "Word", (".docx",), _WORD, _DOCUMENTS, frozenset({Kept.STYLES, Kept.SPEAKERS})),
        write=table.write_docx,
    ),
    CaptionForm(
        *(
            CaptionFormat.CSV,
            Message("forms.csv", "Table (CSV)"),
            (".csv",),
            f"text/csv{_TEXT}",
            _DOCUMENTS,
            frozenset({Kept.SPEAKERS}),
        ),
        write=table.write_csv,
    ),
    CaptionForm(
        *(
            CaptionFormat.JSON,
            Message("forms.json", "JSON with words"),
            (".json",),
            "application/json",
            _DOCUMENTS,
            frozenset(Kept),
        ),
        write=json_file.write_json,
        read=json_file.read_json,
        begins=json_file.BEGINS,
    ),
)

FORM_OF = {CaptionFormat(form.id): form for form in FORMS if form.write is not None}
"""Forms to download, by their id."""
MEDIA_TYPES = {form: FORM_OF[form].media_type for form in FORM_OF}
SUFFIXES = tuple(suffix for form in FORMS if form.read is not None for suffix in form.suffixes)
"""Names of files that can be imported end with one of these."""

_FALLBACK = FORMS[0]
_STYLED = {
    Kept.STYLES: (
        Wording(
            "forms.styles",
            "{count} caption has italics, bold or underlining, which {form} cannot hold.",
            "{count:,} captions have italics, bold or underlining, which {form} cannot hold.",
        ),
        lambda line: any(word.styles for word in line.words),
    ),
    Kept.PLACE: (
        Wording(
            "forms.places",
            "{count} caption has a place on the picture, which {form} cannot hold.",
            "{count:,} captions have a place on the picture, which {form} cannot hold.",
        ),
        lambda line: line.place is not None,
    ),
    Kept.FORCED: (
        Wording(
            "forms.forced",
            "{count} caption is forced, which {form} cannot say.",
            "{count:,} captions are forced, which {form} cannot say.",
        ),
        lambda line: line.forced,
    ),
}


def write(form: CaptionFormat, document: Document) -> bytes:
    """The content of a file. The lines need their words where they have styles, and for JSON."""
    writer = FORM_OF[form].write
    assert writer is not None
    return writer(document)


def losses(form: CaptionFormat, document: Document) -> list[str]:
    """Sentences on what a form cannot hold of these captions. Empty where nothing is lost."""
    kind = FORM_OF[form]
    sentences: list[str] = []
    for kept, (wording, has) in _STYLED.items():
        count = sum(map(has, document.lines))
        if kept not in kind.keeps and count:
            sentences.append(wording(count=count, form=kind.label))
    if Kept.SPEAKERS in kind.keeps and form is not CaptionFormat.JSON and document.speakers is SpeakerStyle.NONE:
        has_column = kind.group is FormGroup.DOCUMENTS
        if not has_column and any(line.speaker for line in document.lines):
            sentences.append(
                Message(
                    "pipelines.captions.without_speakers",
                    "Speakers are left out. Choose “Names” to keep them.",
                )
            )
    return [*sentences, *(kind.loses(document) if kind.loses is not None else [])]


def form_of_text(text: str) -> CaptionForm:
    """The form that a text begins as. SubRip where it begins as none, because that takes anything with times."""
    head = text[:5_000].removeprefix("\ufeff")
    return next((form for form in FORMS if form.begins is not None and form.begins.match(head)), _FALLBACK)


def form_of_file(raw: bytes) -> CaptionForm | None:
    """The binary form of these bytes; None for text."""
    return _STL if ebu_stl.is_ebu_stl(raw) else None
