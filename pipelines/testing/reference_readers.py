"""What pycaption and ttconv read in a subtitle file, and what we do, as the same list of cues.

Each form has a table of rules, one file for each, and a table of differences with their reasons. A test keeps both: a
rule differs exactly where the table says so.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterable
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pycaption
import ttconv.imsc.reader
import ttconv.scc.reader
import ttconv.stl.reader
from ttconv import model
from ttconv.isd import ISD

from pipelines.captions.forms.form import Reading, RollUp
from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.messages.lines import CaptionLine

Cues = list[tuple[int, int | None, str]]
"""From when until when in milliseconds, None for an end that the reader leaves open, and the text without its spaces
at the ends of rows. An empty list also stands for a file that is refused."""

_REFUSALS = (pycaption.exceptions.CaptionReadError, ET.ParseError, ValueError, AttributeError)


def alike(ours: Cues, theirs: Cues, within_ms: int) -> bool:
    """Whether both are the same captions. A letter that has two signs is one letter."""
    return len(ours) == len(theirs) and all(
        ours_text.replace("’", "'") == theirs_text.replace("’", "'")
        and abs(start - their_start) <= within_ms
        and (end is None or their_end is None or abs(end - their_end) <= within_ms)
        for (start, end, ours_text), (their_start, their_end, theirs_text) in zip(ours, theirs, strict=True)
    )


def our_cues(raw: bytes, roll_up: RollUp = RollUp.ONCE) -> Cues:
    return [(line.start_ms, line.end_ms, _flat(line.text)) for line in _our_lines(raw, roll_up)]


def our_screens(raw: bytes) -> Cues:
    """Each state of the screen, with what is higher in the picture first."""
    lines = _our_lines(raw, RollUp.ONCE)
    edges = sorted({edge for line in lines for edge in (line.start_ms, line.end_ms)})
    screens = []
    for start, end in pairwise(edges):
        shown = [line for line in lines if line.start_ms <= start < line.end_ms]
        shown.sort(key=lambda line: -line.place.align if line.place else 0)
        screens.append((start, end, "\n".join(_flat(line.text) for line in shown)))
    return _joined(screens)


def pycaption_cues(reader: type[pycaption.base.BaseReader], raw: bytes) -> Cues:
    with warnings.catch_warnings():
        # It reads XML as HTML, and says so.
        warnings.simplefilter("ignore")
        try:
            read = reader().read(raw.decode())
        except _REFUSALS:
            return []
    return [
        (round(each.start / 1_000), round(each.end / 1_000), _flat(each.get_text()))
        for language in read.get_languages()
        for each in read.get_captions(language)
    ]


def ttconv_scc(raw: bytes) -> Cues:
    body = ttconv.scc.reader.to_model(raw.decode()).get_body()
    paragraphs = [each for each in body.dfs_iterator() if isinstance(each, model.P)]
    return [(_ms(each.get_begin() or 0), _end_of(each), _flat(_text([each]))) for each in paragraphs]


def ttconv_ttml(raw: bytes) -> Cues:
    try:
        document = ttconv.imsc.reader.to_model(ET.ElementTree(ET.fromstring(raw)))
    except _REFUSALS:
        return []
    return _screens(document) if document is not None else []


def ttconv_stl(raw: bytes) -> Cues:
    try:
        return _screens(ttconv.stl.reader.to_model(io.BytesIO(raw)))
    except Exception:  # It lets errors of `struct` out.
        return []


def _our_lines(raw: bytes, roll_up: RollUp) -> tuple[CaptionLine, ...]:
    try:
        return parse_subtitles(raw, None, Reading(roll_up=roll_up)).lines
    except UnreadableSubtitles:
        return ()


def _screens(document: model.ContentDocument) -> Cues:
    times: list[Any] = [*ISD.significant_times(document), None]
    screens: Cues = []
    for start, end in pairwise(times):
        regions = ISD.from_model(document, start).iter_regions()
        text = _flat("\n".join(_text(region) for region in regions))
        screens.append((_ms(start), None if end is None else _ms(end), text))
    return _joined(screens)


def _joined(screens: Iterable[tuple[int, int | None, str]]) -> Cues:
    """Without empty screens, and with equal ones that follow each other as one."""
    joined: Cues = []
    for start, end, text in screens:
        if text and joined and joined[-1][1:] == (start, text):
            joined[-1] = (joined[-1][0], end, text)
        elif text:
            joined.append((start, end, text))
    return joined


def _text(elements: Iterable[model.ContentElement]) -> str:
    text = ""
    for element in elements:
        if isinstance(element, model.Br):
            text += "\n"
        elif isinstance(element, model.Text):
            text += element.get_text()
        else:
            text += _text(element) + "\n" * isinstance(element, model.P)
    return text


def _end_of(paragraph: model.P) -> int | None:
    return None if paragraph.get_end() is None else _ms(paragraph.get_end())


def _ms(seconds: float) -> int:
    return round(float(seconds) * 1_000)


def _flat(text: str) -> str:
    rows = (" ".join(row.split()) for row in text.replace("\u00a0", " ").split("\n"))
    return "\n".join(row for row in rows if row)
