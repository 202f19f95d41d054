"""Our reading of WebVTT beside that of the specification (W3C WebVTT, "WebVTT parser algorithm").

Each rule has a file and the cues that the algorithm makes of it. We read more than it does in the places that
`DIFFERENCES` lists, with the reason; everywhere else we read the same.
"""

from __future__ import annotations

import pytest

from pipelines.captions.imports.subtitles import parse_subtitles
from pipelines.captions.reading.cues import UnreadableSubtitles

Cues = list[tuple[int, int, str]]
ONE: Cues = [(0, 1_000, "text")]
CUE = "00:00.000 --> 00:01.000\ntext\n"

RULES: dict[str, tuple[str, Cues]] = {
    # The signature and the header.
    "signature": (f"WEBVTT\n\n{CUE}", ONE),
    "signature with a byte order mark": (f"\ufeffWEBVTT\n\n{CUE}", ONE),
    "signature and a title after a space": (f"WEBVTT - a title\n\n{CUE}", ONE),
    "signature and a title after a tab": (f"WEBVTT\ta title\n\n{CUE}", ONE),
    "signature alone": ("WEBVTT", []),
    "signature in small letters": (f"webvtt\n\n{CUE}", []),
    "signature that goes on": (f"WEBVTTX\n\n{CUE}", []),
    "signature after a blank row": (f"\nWEBVTT\n\n{CUE}", []),
    "no signature": (CUE, []),
    "header rows": (f"WEBVTT\nKind: captions\nLanguage: en\n\n{CUE}", ONE),
    "times in the header begin a cue": (f"WEBVTT\n{CUE}", ONE),
    # Ends of rows, and signs that no row has.
    "carriage returns": (f"WEBVTT\n\n{CUE}".replace("\n", "\r"), ONE),
    "carriage returns and line feeds": (f"WEBVTT\n\n{CUE}".replace("\n", "\r\n"), ONE),
    "no row end at the end": ("WEBVTT\n\n00:00.000 --> 00:01.000\ntext", ONE),
    "times at the end of the file": ("WEBVTT\n\n00:00.000 --> 00:01.000", []),
    "several blank rows": (f"WEBVTT\n\n\n\n{CUE}\n\n\n", ONE),
    # Identifiers.
    "identifier": (f"WEBVTT\n\nfirst\n{CUE}", ONE),
    "identifier that is a number": (f"WEBVTT\n\n1\n{CUE}", ONE),
    "identifier with two hyphens": (f"WEBVTT\n\na -- b\n{CUE}", ONE),
    # Times.
    "times with hours": ("WEBVTT\n\n00:00:00.000 --> 00:00:01.000\ntext\n", ONE),
    "more than 99 hours": ("WEBVTT\n\n100:00:00.000 --> 100:00:01.000\ntext\n", [(360_000_000, 360_001_000, "text")]),
    "spaces and tabs around the arrow": ("WEBVTT\n\n00:00.000\t--> \t00:01.000\ntext\n", ONE),
    "no space around the arrow": ("WEBVTT\n\n00:00.000-->00:01.000\ntext\n", ONE),
    "space before the times": ("WEBVTT\n\n \t00:00.000 --> 00:01.000\ntext\n", ONE),
    "60 minutes": ("WEBVTT\n\n00:60:00.000 --> 01:00:01.000\ntext\n", []),
    "60 seconds": ("WEBVTT\n\n00:60.000 --> 01:01.000\ntext\n", []),
    "one digit of seconds": ("WEBVTT\n\n00:0.000 --> 00:1.000\ntext\n", []),
    "two digits of milliseconds": ("WEBVTT\n\n00:00.00 --> 00:01.00\ntext\n", []),
    "a comma before the milliseconds": ("WEBVTT\n\n00:00,000 --> 00:01,000\ntext\n", []),
    "a time below zero": ("WEBVTT\n\n-00:01.000 --> 00:01.000\ntext\n", []),
    "no end": ("WEBVTT\n\n00:00.000 -->\ntext\n", []),
    "a letter in a time": (
        "WEBVTT\n\n0a:00.000 --> 00:01.000\ntext\n\n00:02.000 --> 00:03.000\nnext\n",
        [(2_000, 3_000, "next")],
    ),
    "a bad cue before a good one": (
        "WEBVTT\n\nx --> y\nlost\n\n00:02.000 --> 00:03.000\nnext\n",
        [(2_000, 3_000, "next")],
    ),
    # Text.
    "two rows": ("WEBVTT\n\n00:00.000 --> 00:01.000\none\ntwo\n", [(0, 1_000, "one\ntwo")]),
    "an arrow in a text ends its cue": (
        f"WEBVTT\n\n00:02.000 --> 00:03.000\nfirst\n{CUE}",
        [(0, 1_000, "text"), (2_000, 3_000, "first")],
    ),
    "italics, bold and underlining": ("WEBVTT\n\n00:00.000 --> 00:01.000\n<i>te</i><b>x</b><u>t</u>\n", ONE),
    "a class": ("WEBVTT\n\n00:00.000 --> 00:01.000\n<c.yellow.bg_blue>text</c>\n", ONE),
    "a language": ("WEBVTT\n\n00:00.000 --> 00:01.000\n<lang en-GB>text</lang>\n", ONE),
    "a tag that nobody closes": ("WEBVTT\n\n00:00.000 --> 00:01.000\n<i>text\n", ONE),
    "a closing tag that nobody opened": ("WEBVTT\n\n00:00.000 --> 00:01.000\ntext</i>\n", ONE),
    "an unknown tag": ("WEBVTT\n\n00:00.000 --> 00:01.000\n<font>text</font>\n", ONE),
    "times of words": ("WEBVTT\n\n00:00.000 --> 00:01.000\ntext <00:00.500>word\n", [(0, 1_000, "text word")]),
    "named references": ("WEBVTT\n\n00:00.000 --> 00:01.000\n&amp;&lt;&gt;\n", [(0, 1_000, "&<>")]),
    "a reference of HTML": ("WEBVTT\n\n00:00.000 --> 00:01.000\n&eacute;\n", [(0, 1_000, "é")]),
    "a numeric reference": ("WEBVTT\n\n00:00.000 --> 00:01.000\n&#233;\n", [(0, 1_000, "é")]),
    "an ampersand alone": ("WEBVTT\n\n00:00.000 --> 00:01.000\nR & D\n", [(0, 1_000, "R & D")]),
    # Other blocks.
    "a note": (f"WEBVTT\n\nNOTE of one row\n\n{CUE}", ONE),
    "a note of several rows": (f"WEBVTT\n\nNOTE\nof two\nrows\n\n{CUE}", ONE),
    "a style": (f"WEBVTT\n\nSTYLE\n::cue {{ color: lime }}\n\n{CUE}", ONE),
    "a region": (f"WEBVTT\n\nREGION\nid:fred width:40%\n\n{CUE}", ONE),
    "a word that begins like a note": (f"WEBVTT\n\nNOTES\n{CUE}", ONE),
    "unknown settings": ("WEBVTT\n\n00:00.000 --> 00:01.000 foo:bar line\ntext\n", ONE),
}

_CAPTION = "A caption of a person's file is never left out for the sake of its time: it is read, and told."
_HEADLESS = "Files that lost their first row are read all the same."
DIFFERENCES = {
    "signature in small letters": _HEADLESS,
    "signature that goes on": _HEADLESS,
    "signature after a blank row": _HEADLESS,
    "no signature": _HEADLESS,
    "60 minutes": _CAPTION,
    "60 seconds": _CAPTION,
    "one digit of seconds": _CAPTION,
    "two digits of milliseconds": _CAPTION,
    "a comma before the milliseconds": _CAPTION,
    "a time below zero": _CAPTION,
    "no end": _CAPTION,
    "a letter in a time": _CAPTION,
    "more than 99 hours": "A caption begins before 100 hours: the clock of the product, and of SRT, has two digits.",
}


def read(source: str) -> Cues | None:
    """None for a file that is refused with a sentence."""
    try:
        return [(line.start_ms, line.end_ms, line.text) for line in parse_subtitles(source.encode()).lines]
    except UnreadableSubtitles:
        return None


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in DIFFERENCES])
def test_a_rule_of_the_specification_is_ours(rule: str) -> None:
    source, cues = RULES[rule]
    assert (read(source) or []) == cues


@pytest.mark.parametrize("rule", DIFFERENCES)
def test_what_differs_is_listed_as_long_as_it_does(rule: str) -> None:
    source, cues = RULES[rule]
    assert read(source) != cues
