"""TTML: written as the IMSC 1.1 text profile of the W3C, read from all of its dialects (DFXP, EBU-TT-D, SMPTE-TT)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from pipelines.captions.forms.form import Document
from pipelines.captions.texts.speaker_names import SpeakerStyle, shown_name, with_speakers
from pipelines.captions.texts.styled_text import Run, runs_of
from pipelines.captions.texts.text import clean_text
from pipelines.captions.timestamps import format_time
from pipelines.messages.lines import BOTTOM_CENTRE, CaptionLine, LinePlace, WordStyle

ALIGN = ("left", "center", "right")
DISPLAY_ALIGN = ("after", "center", "before")
"""`tts:displayAlign` by the row of the keypad, from the bottom."""
MARGIN = 0.05
"""Between captions and the edge of the picture, as a share of it."""

_ATTRIBUTES = {
    WordStyle.ITALIC: ' tts:fontStyle="italic"',
    WordStyle.BOLD: ' tts:fontWeight="bold"',
    WordStyle.UNDERLINE: ' tts:textDecoration="underline"',
}
_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" \
xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" \
xmlns:itts="http://www.w3.org/ns/ttml/profile/imsc1#styling" \
ttp:contentProfiles="http://www.w3.org/ns/ttml/profile/imsc1.1/text" ttp:timeBase="media" \
ttp:cellResolution="32 15" xml:space="preserve" xml:lang={language}>
<head>
<metadata>{title}{agents}</metadata>
<styling><style xml:id="caption" tts:fontFamily="proportionalSansSerif" tts:fontSize="100%" tts:lineHeight="125%" \
tts:color="#FFFFFF" tts:backgroundColor="#000000C0"/></styling>
<layout>{regions}</layout>
</head>
<body style="caption"><div>
"""


def write_ttml(document: Document) -> bytes:
    """An IMSC 1.1 text document in UTF-8, with a region for each place and speakers as agents for `LABELS`."""
    has_agents = document.speakers is SpeakerStyle.LABELS
    shown = document.lines if has_agents else with_speakers(document.lines, document.names, document.speakers)
    lines = [line for line in shown if clean_text(line.text)]
    regions = {place: f"r{number}" for number, place in enumerate(_places(lines))}
    agents = sorted({line.speaker for line in lines if line.speaker}) if has_agents else []
    head = (
        _HEAD.replace("{language}", f'"{escape(document.language)}"')
        .replace("{regions}", "".join(_region(place, name) for place, name in regions.items()))
        .replace("{agents}", "".join(_agent(label, document) for label in agents))
        .replace("{title}", f"<ttm:title>{_plain(document.title)}</ttm:title>" if document.title else "")
    )
    body = "".join(_paragraph(line, regions, has_agents=has_agents) for line in lines)
    return f"{head}{body}</div></body>\n</tt>\n".encode()


def _places(lines: Iterable[CaptionLine]) -> list[LinePlace]:
    """All places, the usual one first."""
    return list(dict.fromkeys([LinePlace(), *(line.place for line in lines if line.place is not None)]))


def _region(place: LinePlace, name: str) -> str:
    height, column = divmod(place.align - 1, 3)
    left, width = (MARGIN, 1 - 2 * MARGIN) if place.x is None else _span(place.x, column)
    top, tall = (MARGIN, 1 - 2 * MARGIN) if place.y is None else _span(place.y, 2 - height)
    return (
        f'<region xml:id="{name}" tts:origin="{_percent(left)} {_percent(top)}" '
        f'tts:extent="{_percent(width)} {_percent(tall)}" tts:displayAlign="{DISPLAY_ALIGN[height]}" '
        f'tts:textAlign="{ALIGN[column]}" tts:overflow="visible"/>'
    )


def _span(anchor: float, edge: int) -> tuple[float, float]:
    """Where a region starts and how long it is, so that its start, centre or end (0, 1, 2) lies at `anchor`."""
    if edge == 0:
        return anchor, 1 - anchor
    if edge == 2:
        return 0.0, anchor
    half = min(anchor, 1 - anchor)
    return anchor - half, 2 * half


def _percent(share: float) -> str:
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + "%"


def _agent(label: str, document: Document) -> str:
    name = _plain(document.names.get(label) or shown_name(label, None))
    return f'<ttm:agent xml:id="{label}" type="person"><ttm:name type="full">{name}</ttm:name></ttm:agent>'


def _paragraph(line: CaptionLine, regions: dict[LinePlace, str], *, has_agents: bool) -> str:
    agent = f' ttm:agent="{line.speaker}"' if has_agents and line.speaker else ""
    times = f'begin="{format_time(line.start_ms, ".")}" end="{format_time(line.end_ms, ".")}"'
    region = regions[line.place or LinePlace(BOTTOM_CENTRE)]
    forced = ' itts:forcedDisplay="true"' if line.forced else ""
    runs = "".join(_span_of(run, line, has_agents=has_agents) for run in runs_of(line))
    return f'<p {times} region="{region}"{agent}{forced}>{runs}</p>\n'


def _span_of(run: Run, line: CaptionLine, *, has_agents: bool) -> str:
    text = "<br/>".join(_plain(row, strip=False) for row in run.text.split("\n"))
    attributes = "".join(attribute for style, attribute in _ATTRIBUTES.items() if style in run.styles)
    if has_agents and run.speaker and run.speaker != line.speaker:
        attributes += f' ttm:agent="{run.speaker}"'
    return f"<span{attributes}>{text}</span>" if attributes else text


_NOT_XML = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")


def _plain(text: str, *, strip: bool = True) -> str:
    safe = escape(_NOT_XML.sub("", text), quote=False)
    return safe.strip() if strip else safe
