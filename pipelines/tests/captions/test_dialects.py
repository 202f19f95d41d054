"""Subtitle files as other programs write them: EBU-STL, line 21, other TTML and SSA."""

from __future__ import annotations

import pycaption
import pytest

from pipelines.captions.forms.form import CaptionFormat
from pipelines.captions.forms.registry import write
from pipelines.captions.lines import LinePlace
from pipelines.captions.styled_text import to_markup
from pipelines.captions.subtitles import parse_subtitles
from pipelines.testing.captions import document, typed


def test_ebu_stl_counts_from_the_start_of_its_programme() -> None:
    raw = bytearray(write(CaptionFormat.STL, document([typed("one")])))
    raw[256:264] = b"10000000"
    raw[1024 + 5], raw[1024 + 9] = 10, 10
    found = parse_subtitles(bytes(raw))
    assert (found.lines[0].start_ms, found.lines[0].end_ms) == (1_000, 2_600)
    assert "starts at 10:00:00,000, which is now zero" in found.notes[0]
    assert parse_subtitles(bytes(raw), fps=50).lines[0].end_ms == 2_300


def line_21(start: str, codes: str, text: str = "", end: str = "") -> str:
    """A row of an SCC file: codes, the letters of a text with odd parity, and more codes."""
    letters = [code | (0x80 if code.bit_count() % 2 == 0 else 0) for code in (text + "\0" * (len(text) % 2)).encode()]
    pairs = [f"{first:02x}{second:02x}" for first, second in zip(letters[::2], letters[1::2], strict=True)]
    return f"{start}\t{' '.join([codes, *pairs, end]).strip()}\n\n"


def test_line_21_captions_are_read_as_pycaption_reads_them() -> None:
    text = "Scenarist_SCC V1.0\n\n" + line_21("00:00:01:00", "94ae 94ae 9420 9420 9470 9470", "HELLO", "942f 942f")
    text += line_21("00:00:03:00", "94ae 94ae 9420 9420 91d0 91d0 91ae 91ae", "at the top", "942f 942f")
    text += line_21("00:00:05:00", "942c 942c")
    found = parse_subtitles(text.encode())
    assert found.form == "scc"
    assert [to_markup(each) for each in found.lines] == ["HELLO", "<i>at the top</i>"]
    assert [each.place and each.place.align for each in found.lines] == [1, 7]
    read = pycaption.SCCReader().read(text)
    stock = read.get_captions(read.get_languages()[0])
    assert [each.get_text().strip() for each in stock] == [each.text for each in found.lines]
    assert [each.start / 1_000 for each in stock] == pytest.approx([each.start_ms for each in found.lines], abs=70)
    assert stock[-1].end / 1_000 == pytest.approx(found.lines[-1].end_ms, abs=70)


def test_roll_up_and_paint_on_lose_no_row() -> None:
    rows = "9425 9425 94ad 94ad 9470 9470 4f4e 4580"
    text = f"Scenarist_SCC V1.0\n\n00:00:01;00\t{rows}\n\n00:00:03;00\t9425 9425 94ad 94ad 5457 4f80\n\n"
    text += "00:00:06;00\t9429 9429 9470 9470 5448 5245 4580\n\n00:00:08;00\t942c 942c\n"
    found = parse_subtitles(text.encode())
    assert [each.text for each in found.lines] == ["ONE", "TWO", "THREE"]


TTML = """<?xml version="1.0"?>
<tt xmlns="http://www.w3.org/2006/10/ttaf1" xmlns:tts="http://www.w3.org/2006/10/ttaf1#style"
    xmlns:ttp="http://www.w3.org/2006/10/ttaf1#parameter" xmlns:ttm="http://www.w3.org/2006/10/ttaf1#metadata"
    ttp:frameRate="25" ttp:tickRate="10000000">
<head><metadata><ttm:agent xml:id="a1" type="person"><ttm:name type="full">Ada</ttm:name></ttm:agent></metadata>
<styling><style xml:id="base" tts:fontStyle="italic"/><style xml:id="kid" style="base" tts:color="red"/></styling>
<layout><region xml:id="top" tts:origin="10% 5%" tts:extent="80% 10%" tts:displayAlign="before" tts:textAlign="center"/>
</layout></head>
<body><div begin="10s">
  <p begin="00:00:01:05" dur="2s" style="kid" region="top" ttm:agent="a1">Hello
     <span tts:fontStyle="normal">there</span><br/>you</p>
  <p begin="40000000t" end="60000000t">ticks &#x26; more</p>
</div></body></tt>"""


def test_other_dialects_of_ttml_are_read() -> None:
    found = parse_subtitles(TTML.encode())
    assert [(each.start_ms, each.end_ms, each.text) for each in found.lines] == [
        (11_200, 13_200, "Hello there\nyou"),
        (14_000, 16_000, "ticks & more"),
    ]
    assert to_markup(found.lines[0]) == "<i>Hello</i> there\n<i>you</i>"
    assert (found.lines[0].place, found.lines[1].place) == (LinePlace(8), None)
    assert found.speakers == {"S1": "Ada"}
    assert parse_subtitles(TTML.encode(), fps=50).lines[0].start_ms == 11_100


SSA = """[Script Info]
ScriptType: v4.00
PlayResX: 640
PlayResY: 480
[V4 Styles]
Format: Name, Fontname, Italic, Alignment
Style: Default,Arial,0,2
Style: *Top,Arial,-1,6
[Events]
Format: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: Marked=0,0:00:01.00,0:00:02.50,*Top,Ada,0000,0000,0000,,Up, here\\Nagain
Dialogue: Marked=0,0:00:03.00,0:00:04.00,Default,,0000,0000,0000,,{why}{\\pos(320,120)\\c&H00FF&}green {\\b1}one{\\b0}
Dialogue: Marked=0,0:00:05.00,0:00:06.00,Default,,0000,0000,0000,,{\\p1}m 0 0 l 10 10{\\p0}
Comment: Marked=0,0:00:07.00,0:00:08.00,Default,,0000,0000,0000,,not shown
"""


def test_ssa_styles_positions_and_actors_are_read() -> None:
    found = parse_subtitles(SSA.encode())
    assert [to_markup(each) for each in found.lines] == ["<i>Up, here\nagain</i>", "green <b>one</b>"]
    assert [each.place for each in found.lines] == [LinePlace(8), LinePlace(2, 0.5, 0.25)]
    assert found.speakers == {"S1": "Ada"}
    assert found.notes == ("Formatting such as colours or fonts was left out of 1 caption.",)
