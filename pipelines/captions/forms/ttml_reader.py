"""Read TTML in any of its dialects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lxml import etree

from cluster.wording.message import Message
from pipelines.captions.forms.form import Source
from pipelines.captions.forms.tape_time import from_full_hour
from pipelines.captions.forms.ttml import ALIGN, DISPLAY_ALIGN, MARGIN
from pipelines.captions.forms.ttml_clock import TtmlClock
from pipelines.captions.forms.ttml_paragraph import Piece, Times, shown_parts
from pipelines.captions.forms.ttml_xml import METADATA, UNSEEN, letters_in, local_name, root_of, without_prefix
from pipelines.captions.reading.cues import StyledCue, UnreadableSubtitles, lines_of_cues
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.styled_text import STYLE_OF_TAG, Run, plain_text
from pipelines.captions.texts.text import shown_length
from pipelines.messages.lines import BOTTOM_CENTRE, NO_STYLES, CaptionLine, LinePlace, WordStyle

BEGINS = re.compile(
    r"\s*(?:<\?xml[^>]{0,300}\?>\s*)?(?:<!--.{0,2000}?-->\s*|<!DOCTYPE[^>\[]{0,300}(?:\[.{0,2000}?\]\s{0,99})?>\s*)?<(?:[\w-]{1,20}:)?tt[\s>]",
    re.DOTALL,
)
"""How a file of this form begins."""

_PERCENTS = re.compile(r"\s*(-?\d{1,4}(?:\.\d{1,6})?)%\s+(-?\d{1,4}(?:\.\d{1,6})?)%\s*", re.ASCII)
_PIXELS = re.compile(r"\s*(-?\d{1,5}(?:\.\d{1,6})?)px\s+(-?\d{1,5}(?:\.\d{1,6})?)px\s*", re.ASCII)
_WHITE = re.compile(r"[ \t\r\n]+")
_NEAR = 0.12
"""A caption this close to where its alignment alone would put it has no position of its own."""
_DEPTH_MAX = 100
_CONTAINERS = frozenset({"tt", "body", "div"})


def read_ttml(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The paragraphs of a document, with italics, bold, underlining, regions and agents.

    Times in frames use the frame rate that the person chose, else the document's. Raises `UnreadableSubtitles` for
    text that is not XML, and for a document without timed text.
    """
    root = root_of(source, report)
    document = _Document(root, source, report)
    cues = document.cues(root)
    letters = letters_in(root)
    if not cues and letters:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.ttml.no_times",
                "No caption times were found in this TTML file. Its paragraphs need begin and end.",
            )
        )
    report.left_out += max(0, letters - document.letters)
    return lines_of_cues(document.shifted(cues), report)


def _attributes(element: etree._Element) -> dict[str, str]:
    """Attributes by their local names: dialects differ in namespaces only."""
    return {without_prefix(name): value for name, value in element.attrib.items()}


@dataclass(frozen=True, slots=True)
class _Context:
    """What an element passes on to those inside it."""

    begin_ms: int = 0
    end_ms: int | None = None
    has_time: bool = False
    styles: frozenset[WordStyle] = NO_STYLES
    align: str | None = None
    region: str | None = None
    speaker: str | None = None
    preserve: bool = False
    forced: bool = False
    language: str = ""
    is_shown: bool = True
    is_visible: bool = True


def _add(pieces: list[Piece], text: str | None, context: _Context, times: Times | None) -> None:
    if text and context.is_shown and context.is_visible:
        shown = text if context.preserve else _WHITE.sub(" ", text)
        pieces.append(Piece(Run(shown, context.styles, context.speaker), times))


def _is_paragraph(element: etree._Element) -> bool:
    """Also an element that no document should have here, where it holds text."""
    kind = local_name(element)
    return kind == "p" or (kind not in _CONTAINERS and bool((element.text or "").strip()))


class _Document:
    """Times, styles, regions and speakers of one document."""

    def __init__(self, root: etree._Element, source: Source, report: ImportReport) -> None:
        self.letters = 0
        """Characters of paragraphs that are not white space."""
        self._report = report
        attributes = _attributes(root)
        self._clock = TtmlClock(attributes, source.reading.fps)
        self._wanted = source.language or ""
        size = _PIXELS.fullmatch(attributes.get("extent", ""))
        self._size = (float(size[1]) or 1.0, float(size[2]) or 1.0) if size else (1920.0, 1080.0)
        self._styles: dict[str, dict[str, str]] = {}
        self._regions: dict[str, dict[str, str]] = {}
        self._names: dict[str, str] = {}
        for element in root.iter():
            kind, own = local_name(element), _attributes(element)
            if kind == "style" and "id" in own:
                self._styles[own["id"]] = own
            elif kind == "region" and "id" in own:
                inner = [_attributes(child) for child in element if local_name(child) == "style"]
                self._regions[own["id"]] = {key: value for each in (*inner, own) for key, value in each.items()}
            elif kind == "agent" and "id" in own:
                self._names[own["id"]] = " ".join("".join(element.itertext()).split())

    def cues(self, root: etree._Element) -> list[StyledCue]:
        found: list[tuple[str, StyledCue]] = []
        pending = [(root, self._inside(root, _Context()))]
        while pending:
            element, context = pending.pop()
            if _is_paragraph(element):
                found.extend((context.language, cue) for cue in self._cues(element, context))
                continue
            children = [child for child in element if local_name(child) and local_name(child) not in UNSEEN]
            pending.extend(reversed(list(self._children(element, children, context))))
        return self._of_one_language(found)

    def _children(
        self, element: etree._Element, children: Iterable[etree._Element], context: _Context
    ) -> Iterator[tuple[etree._Element, _Context]]:
        """What each child inherits. In a sequence, times count from the end of the child before it."""
        is_sequence = _attributes(element).get("timeContainer") == "seq"
        for child in children:
            inner = self._inside(child, context)
            yield child, replace(inner, has_time=True) if is_sequence else inner
            if is_sequence:
                context = replace(context, begin_ms=inner.end_ms if inner.end_ms is not None else inner.begin_ms)

    def _of_one_language(self, found: Sequence[tuple[str, StyledCue]]) -> list[StyledCue]:
        """The captions in the wanted language where the document has it, else in that with most text."""
        letters: Counter[str] = Counter()
        for language, cue in found:
            letters[language] += shown_length(plain_text(cue.runs))
        wanted = self._wanted.split("-")[0].lower()
        chosen = max(letters, key=lambda name: (bool(wanted) and name == wanted, letters[name]), default="")
        self._report.other_languages += letters.total() - letters[chosen]
        return [cue for language, cue in found if language == chosen]

    def shifted(self, cues: Sequence[StyledCue]) -> Iterable[StyledCue]:
        """The cues from the start of the programme, where the document counts as a tape does."""
        if not self._clock.counts_tape:
            return cues
        return from_full_hour(cues, self._report, hour_ms=self._clock.hour_ms)

    def _cues(self, element: etree._Element, context: _Context) -> list[StyledCue]:
        pieces: list[Piece] = []
        self._read(element, context, pieces, None, 0)
        self.letters += sum(shown_length(piece.run.text) for piece in pieces)
        if not any(piece.run.text.strip() for piece in pieces):
            return []
        whole: Times = (context.begin_ms, context.end_ms)
        timed = [piece.times for piece in pieces if piece.times is not None]
        if timed and not context.has_time:
            ends = [end for _, end in timed if end is not None]
            whole = (min(begin for begin, _ in timed), whole[1] or max(ends, default=None))
        self._report.untimed_paragraphs += not (timed or context.has_time)
        place = self._place(context)
        return [
            StyledCue(*times, runs, place, context.speaker, context.forced or self._is_forced(context.region))
            for times, runs in shown_parts(pieces, whole, self._report)
        ]

    def _read(
        self, element: etree._Element, context: _Context, pieces: list[Piece], times: Times | None, depth: int
    ) -> None:
        _add(pieces, element.text, context, times)
        for child, inner in self._children(element, element, context):
            kind = local_name(child)
            if kind == "br":
                pieces.append(Piece(Run("\n", context.styles, context.speaker), times))
            elif kind and kind not in METADATA and depth < _DEPTH_MAX:
                has_time = not {"begin", "end", "dur"}.isdisjoint(_attributes(child))
                self._read(child, inner, pieces, (inner.begin_ms, inner.end_ms) if has_time else times, depth + 1)
            elif kind and kind not in METADATA:
                _add(pieces, "".join(child.itertext()), context, times)
            _add(pieces, child.tail, context, times)

    def _inside(self, element: etree._Element, outer: _Context) -> _Context:
        own = _attributes(element)
        styled = self._computed(own)
        kind = local_name(element)
        begin, end, duration = (self._time_of(element, own.get(name)) for name in ("begin", "end", "dur"))
        start = outer.begin_ms + (begin or 0)
        until = None if end is None else outer.begin_ms + end
        if duration is not None:
            until = min(start + duration, until) if until is not None else start + duration
        if until is not None and outer.end_ms is not None and start < outer.end_ms:
            until = min(until, outer.end_ms)
        agent = own.get("agent", "").split()
        return replace(
            outer,
            begin_ms=start,
            end_ms=until if until is not None else outer.end_ms,
            has_time=outer.has_time or (kind not in ("tt", "body") and begin is not None),
            styles=_styles(styled, outer.styles | ({STYLE_OF_TAG[kind]} if kind in STYLE_OF_TAG else NO_STYLES)),
            align=styled.get("textAlign", outer.align),
            region=own.get("region", outer.region),
            speaker=self._names.get(agent[0], agent[0]) if agent else own.get("actor", outer.speaker),
            preserve=own.get("space", "preserve" if outer.preserve else "default") == "preserve",
            # One caption in another language belongs to the others.
            language=own.get("lang", outer.language).split("-")[0].lower() if kind in _CONTAINERS else outer.language,
            is_shown=outer.is_shown and styled.get("display") != "none",
            is_visible={"hidden": False, "visible": True}.get(styled.get("visibility", ""), outer.is_visible),
            forced=styled.get("forcedDisplay", "true" if outer.forced else "false") == "true",
        )

    def _is_forced(self, region: str | None) -> bool:
        return self._computed(self._regions.get(region or "", {})).get("forcedDisplay") == "true"

    def _computed(self, own: Mapping[str, str]) -> dict[str, str]:
        """The style attributes of an element, with those of the styles it names, and of the styles these name."""
        layers: list[Mapping[str, str]] = [own]
        names, seen = own.get("style", "").split(), set[str]()
        while names:
            name = names.pop()
            if name in seen or name not in self._styles:
                continue
            seen.add(name)
            layers.append(self._styles[name])
            names.extend(self._styles[name].get("style", "").split())
        return {key: value for layer in reversed(layers) for key, value in layer.items()}

    def _place(self, context: _Context) -> LinePlace | None:
        region = self._regions.get(context.region or "", {})
        region = self._computed(region)
        align = context.align or region.get("textAlign", "center")
        column = ALIGN.index(align) if align in ALIGN else {"start": 0, "end": 2}.get(align, 1)
        display = region.get("displayAlign", "after" if not region else "before")
        origin, extent = self._pair(region.get("origin")), self._pair(region.get("extent"))
        if origin is None or extent is None:
            height = DISPLAY_ALIGN.index(display) if display in DISPLAY_ALIGN else 0
            number = 1 + 3 * height + column
            return None if number == BOTTOM_CENTRE else LinePlace(number)
        height = DISPLAY_ALIGN.index(display) if display in DISPLAY_ALIGN else 0
        x = origin[0] + extent[0] * (0, 0.5, 1)[column]
        y = origin[1] + extent[1] * (1, 0.5, 0)[height]
        return _near_or_exact(1 + 3 * height + column, x, y)

    def _pair(self, value: str | None) -> tuple[float, float] | None:
        found = _PERCENTS.fullmatch(value or "")
        if found is not None:
            return float(found[1]) / 100, float(found[2]) / 100
        found = _PIXELS.fullmatch(value or "")
        return (float(found[1]) / self._size[0], float(found[2]) / self._size[1]) if found else None

    def _time_of(self, element: etree._Element, value: str | None) -> int | None:
        moment = None if value is None else self._clock.moment(value.strip())
        if moment is None and value is not None and value.strip() != "indefinite":
            self._report.bad_rows.append((element.sourceline or 1, value))
        return moment


def _styles(computed: Mapping[str, str], outer: frozenset[WordStyle]) -> frozenset[WordStyle]:
    styles = outer
    for style, attribute, on, off in (
        (WordStyle.ITALIC, "fontStyle", ("italic", "oblique"), ("normal",)),
        (WordStyle.BOLD, "fontWeight", ("bold",), ("normal",)),
        (WordStyle.UNDERLINE, "textDecoration", ("underline",), ("none", "noUnderline")),
    ):
        value = computed.get(attribute, "").split()
        if any(each in on for each in value):
            styles = styles | {style}
        elif any(each in off for each in value):
            styles = styles - {style}
    return styles


def _near_or_exact(align: int, x: float, y: float) -> LinePlace | None:
    """The place of an anchor: only its alignment where that says it all, the nearest one where it would mislead."""
    height, column = divmod(align - 1, 3)
    usual = (MARGIN, 0.5, 1 - MARGIN)
    if abs(x - usual[column]) < _NEAR and abs(y - usual[2 - height]) < _NEAR:
        return None if align == BOTTOM_CENTRE else LinePlace(align)
    if not (0 <= x <= 1 and 0 <= y <= 1):
        return LinePlace(align)
    return LinePlace(align, round(x, 4), round(y, 4))
