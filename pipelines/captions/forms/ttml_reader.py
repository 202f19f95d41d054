"""Read TTML in any of its dialects."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lxml import etree

from pipelines.captions.cues import StyledCue, UnreadableSubtitles, lines_of_cues
from pipelines.captions.forms.form import Source
from pipelines.captions.forms.ttml import ALIGN, DISPLAY_ALIGN, MARGIN
from pipelines.captions.import_report import ImportReport
from pipelines.captions.lines import BOTTOM_CENTRE, NO_STYLES, CaptionLine, LinePlace, WordStyle
from pipelines.captions.styled_text import Run

BEGINS = re.compile(
    r"\s*(?:<\?xml[^>]{0,300}\?>\s*)?(?:<!--.{0,2000}?-->\s*|<!DOCTYPE[^>]{0,300}>\s*)?<(?:[\w-]{1,20}:)?tt[\s>]",
    re.DOTALL,
)
"""How a file of this form begins."""

_CLOCK = re.compile(r"(\d{1,4}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,9})|:(\d{1,3})(?:\.\d{1,3})?)?", re.ASCII)
_OFFSET = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(h|ms|m|s|f|t)", re.ASCII)
_PERCENTS = re.compile(r"\s*(-?\d{1,4}(?:\.\d{1,6})?)%\s+(-?\d{1,4}(?:\.\d{1,6})?)%\s*", re.ASCII)
_PIXELS = re.compile(r"\s*(-?\d{1,5}(?:\.\d{1,6})?)px\s+(-?\d{1,5}(?:\.\d{1,6})?)px\s*", re.ASCII)
_WHITE = re.compile(r"[ \t\r\n]+")
_NEAR = 0.12
"""A caption this close to where its alignment alone would put it has no position of its own."""
_DEPTH_MAX = 100
_UNITS_MS = {"h": 3_600_000.0, "m": 60_000.0, "s": 1_000.0, "ms": 1.0}


def read_ttml(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The paragraphs of a document, with italics, bold, underlining, regions and agents.

    Times in frames use the frame rate that the person chose, else the document's. Raises `UnreadableSubtitles` for
    text that is not XML, and for a document without timed text.
    """
    root = _root(source)
    document = _Document(root, source.fps)
    cues = list(document.cues(root, report))
    if not cues and "".join(root.itertext()).strip():
        raise UnreadableSubtitles("No caption times were found in this TTML file. Its paragraphs need begin and end.")
    return lines_of_cues(cues, report)


def _root(source: Source) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False)
    root = None
    with contextlib.suppress(etree.XMLSyntaxError, ValueError):
        root = etree.fromstring(source.raw, parser)
    if root is None or _local(root) != "tt":
        text = re.sub(r"^\s*<\?xml[^>]{0,300}\?>", "", source.text)
        try:
            root = etree.fromstring(text.encode("utf-8", "replace"), parser)
        except (etree.XMLSyntaxError, ValueError):
            root = None
    if root is None:
        raise UnreadableSubtitles("This file begins as TTML but is not XML. Save it again in the program that made it.")
    return root


def _local(element: etree._Element) -> str:
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _attributes(element: etree._Element) -> dict[str, str]:
    """Attributes by their local names: dialects differ in namespaces only."""
    return {etree.QName(name).localname: value for name, value in element.attrib.items()}


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


@dataclass(slots=True)
class _Paragraph:
    """The text of one paragraph while it is read."""

    runs: list[Run] = field(default_factory=list)
    begin_ms: int | None = None
    end_ms: int | None = None

    def add(self, text: str | None, context: _Context) -> None:
        if not text:
            return
        shown = text if context.preserve else _WHITE.sub(" ", text)
        self.runs.append(Run(shown, context.styles, context.speaker))


class _Document:
    """Times, styles, regions and speakers of one document."""

    def __init__(self, root: etree._Element, fps: float | None) -> None:
        attributes = _attributes(root)
        rate = _number(attributes.get("frameRate"), 30.0)
        multiplier = attributes.get("frameRateMultiplier", "1 1").replace(":", " ").split()
        if len(multiplier) == 2 and all(part.isdigit() and int(part) for part in multiplier):
            rate = rate * int(multiplier[0]) / int(multiplier[1])
        self._fps = fps or rate
        self._ticks = _number(attributes.get("tickRate"), rate if "frameRate" in attributes else 1.0)
        size = _PIXELS.fullmatch(attributes.get("extent", ""))
        self._size = (float(size[1]) or 1.0, float(size[2]) or 1.0) if size else (1920.0, 1080.0)
        self._styles: dict[str, dict[str, str]] = {}
        self._regions: dict[str, dict[str, str]] = {}
        self._names: dict[str, str] = {}
        for element in root.iter():
            kind, own = _local(element), _attributes(element)
            if kind == "style" and "id" in own:
                self._styles[own["id"]] = own
            elif kind == "region" and "id" in own:
                inner = [_attributes(child) for child in element if _local(child) == "style"]
                self._regions[own["id"]] = {key: value for each in (*inner, own) for key, value in each.items()}
            elif kind == "agent" and "id" in own:
                self._names[own["id"]] = " ".join("".join(element.itertext()).split())

    def cues(self, root: etree._Element, report: ImportReport) -> list[StyledCue]:
        found: list[StyledCue] = []
        pending = [(root, self._inside(root, _Context()))]
        while pending:
            element, context = pending.pop()
            if _local(element) == "p":
                cue = self._cue(element, context, report)
                found.extend([cue] if cue is not None else [])
                continue
            children = [child for child in element if _local(child) in ("body", "div", "p", "tt")]
            pending.extend((child, self._inside(child, context)) for child in reversed(children))
        return found

    def _cue(self, element: etree._Element, context: _Context, report: ImportReport) -> StyledCue | None:
        paragraph = _Paragraph()
        self._read(element, context, paragraph, report, 0)
        if not any(run.text.strip() for run in paragraph.runs):
            return None
        if not context.has_time and paragraph.begin_ms is None:
            report.untimed_paragraphs += 1
        begin = context.begin_ms if context.has_time or paragraph.begin_ms is None else paragraph.begin_ms
        end = context.end_ms if context.end_ms is not None else paragraph.end_ms
        return StyledCue(begin, end, paragraph.runs, self._place(context), context.speaker)

    def _read(
        self, element: etree._Element, context: _Context, paragraph: _Paragraph, report: ImportReport, depth: int
    ) -> None:
        paragraph.add(element.text, context)
        for child in element:
            kind = _local(child)
            if kind == "br":
                paragraph.runs.append(Run("\n", context.styles, context.speaker))
            elif kind == "span" and depth < _DEPTH_MAX:
                inner = self._inside(child, context)
                if inner.has_time and not context.has_time:
                    paragraph.begin_ms = min(inner.begin_ms, paragraph.begin_ms or inner.begin_ms)
                    paragraph.end_ms = max(inner.end_ms or 0, paragraph.end_ms or 0) or None
                self._read(child, inner, paragraph, report, depth + 1)
            elif kind == "span":
                paragraph.add("".join(child.itertext()), context)
            paragraph.add(child.tail, context)

    def _inside(self, element: etree._Element, outer: _Context) -> _Context:
        own = _attributes(element)
        styled = self._computed(own)
        begin, end, duration = (self._moment(own.get(name)) for name in ("begin", "end", "dur"))
        start = outer.begin_ms + (begin or 0)
        until = None if end is None else outer.begin_ms + end
        if duration is not None:
            until = min(start + duration, until) if until is not None else start + duration
        is_text = _local(element) in ("p", "span")
        agent = own.get("agent", "").split()
        return replace(
            outer,
            begin_ms=start,
            end_ms=until if until is not None else outer.end_ms,
            has_time=outer.has_time or (is_text and begin is not None),
            styles=_styles(styled, outer.styles),
            align=styled.get("textAlign", outer.align),
            region=own.get("region", outer.region),
            speaker=self._names.get(agent[0], agent[0]) if agent else own.get("actor", outer.speaker),
            preserve=own.get("space", "preserve" if outer.preserve else "default") == "preserve",
        )

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

    def _moment(self, value: str | None) -> int | None:
        text = (value or "").strip()
        clock = _CLOCK.fullmatch(text)
        if clock is not None:
            whole = ((int(clock[1]) * 60 + int(clock[2])) * 60 + int(clock[3])) * 1000
            if clock[4]:
                return whole + int(clock[4][:3].ljust(3, "0"))
            return whole + (round(int(clock[5]) * 1000 / self._fps) if clock[5] else 0)
        offset = _OFFSET.fullmatch(text)
        if offset is None:
            return None
        unit = offset[2]
        scale = _UNITS_MS.get(unit) or 1000 / (self._fps if unit == "f" else self._ticks)
        return min(round(float(offset[1]) * scale), 2**40)


def _number(text: str | None, default: float) -> float:
    return float(text) if text and re.fullmatch(r"\d{1,9}", text, re.ASCII) and int(text) else default


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
