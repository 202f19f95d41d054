"""Read SAMI, the captions of Windows Media: HTML whose `<SYNC Start=ms>` shows what follows until the next one."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from cluster.wording.message import Message
from pipelines.captions.forms.form import Source
from pipelines.captions.reading.cues import StyledCue, UnreadableSubtitles, lines_of_cues
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.markup import cut_out, guarded, read_markup, unescape
from pipelines.captions.texts.text import shown_length
from pipelines.messages.lines import CaptionLine

BEGINS = re.compile(r"\s*(?:<\?xml[^>]{0,300}\?>\s*)?<SAMI[\s>]", re.IGNORECASE)
"""How a file of this form begins."""

_MARKS = frozenset({"i", "b", "u", "em", "strong", "font", "span", "s"})
_UNSEEN = frozenset({"head", "style", "title", "samiparam"})
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,20})(?![a-zA-Z0-9])([^<>]*)>")
_START = re.compile(r"""(?<![a-z])start\s{0,9}=\s{0,9}["']?(\d{1,10})(?![\d:.])""", re.IGNORECASE | re.ASCII)
_CLASS = re.compile(r"""(?<![a-z])class\s{0,9}=\s{0,9}["']?([\w-]{1,40})""", re.IGNORECASE)
_LANGUAGE = re.compile(r"\.(\w{1,40})\s{0,9}\{[^{}]{0,300}?lang:\s{0,9}([\w-]{1,20})", re.IGNORECASE)
_WHITE = re.compile(r"[ \t\r\n]+")
_LAST_MS = 4_000


@dataclass(slots=True)
class _Moment:
    """From when on something is shown, and what by the class of its paragraph: its language."""

    start_ms: int
    texts: dict[str, list[str]] = field(default_factory=dict)


class _Reader:
    """Takes the tags of a file and the text between them, in linear time, which html.parser does not."""

    def __init__(self, report: ImportReport) -> None:
        self.moments: list[_Moment] = []
        self._report = report
        self._language = ""
        self._hidden = 0

    def feed(self, text: str) -> None:
        row, end = 1, 0
        for tag in _TAG.finditer(text):
            self._text(text[end : tag.start()])
            row += text.count("\n", end, tag.end())
            end = tag.end()
            self._tag(tag[2].lower(), tag[3], row, closes=bool(tag[1]))
        self._text(text[end:])

    def _tag(self, name: str, attributes: str, row: int, *, closes: bool) -> None:
        if name in _UNSEEN:
            self._hidden = max(0, self._hidden - 1) if closes else self._hidden + 1
        elif name in _MARKS:
            self._add(f"<{'/' * closes}{name}>")
        elif closes:
            return
        elif name == "body":
            self._hidden = 0
        elif name == "sync":
            start = _START.search(attributes)
            if start is None:
                self._report.bad_rows.append((row, f"<SYNC{attributes}>"))
            else:
                self.moments.append(_Moment(int(start[1])))
                self._language = ""
        elif name == "p":
            named = _CLASS.search(attributes)
            self._language = named[1].lower() if named else ""
        elif name == "br":
            self._add("\n")

    def _text(self, text: str) -> None:
        if self._hidden:
            return
        shown = unescape(text)
        if self.moments:
            self._add(guarded(_WHITE.sub(" ", shown)))
        else:
            self._report.left_out += shown_length(shown)

    def _add(self, text: str) -> None:
        if text and self.moments and not self._hidden:
            self.moments[-1].texts.setdefault(self._language, []).append(text)


def read_sami(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The captions of one language, with italics, bold and underlining.

    The language is the wanted one where the file has it, else the one with most text; `report` counts what others say.
    Raises `UnreadableSubtitles` for a file without times.
    """
    reader = _Reader(report)
    reader.feed(cut_out(source.text, "<!--", "-->"))
    if not reader.moments:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.sami.no_times",
                "No caption times were found in this SAMI file. It needs tags like <SYNC Start=1000>.",
            )
        )
    letters: Counter[str] = Counter()
    for moment in reader.moments:
        for name, parts in moment.texts.items():
            letters[name] += sum(shown_length(part) for part in parts if not part.startswith("<"))
    languages = {found[1].lower(): found[2].lower() for found in _LANGUAGE.finditer(source.text)}
    wanted = (source.language or "").split("-")[0].lower()
    chosen = max(
        letters,
        key=lambda name: (bool(wanted) and languages.get(name, "").startswith(wanted), letters[name]),
        default="",
    )
    report.other_languages += sum(count for name, count in letters.items() if name != chosen)
    return lines_of_cues(_cues(reader.moments, chosen, report), report)


def _cues(moments: list[_Moment], chosen: str, report: ImportReport) -> list[StyledCue]:
    own = sorted((each for each in moments if chosen in each.texts), key=lambda each: each.start_ms)
    cues = []
    for index, each in enumerate(own):
        end = own[index + 1].start_ms if index + 1 < len(own) else each.start_ms + _LAST_MS
        read = read_markup("".join(each.texts[chosen]))
        report.formatted += read.has_more
        if any(run.text.strip(" \n\u00a0") for run in read.runs):
            cues.append(StyledCue(each.start_ms, end, read.runs))
    return cues
