"""Subtitle files as other programs write them: EBU-STL, line 21, other TTML and SSA."""

from __future__ import annotations

import pycaption
import pytest

from pipelines.captions.forms.form import CaptionFormat, Reading
from pipelines.captions.forms.registry import losses, write
from pipelines.captions.imports.subtitles import Imported, parse_subtitles
from pipelines.captions.texts.styled_text import to_markup
from pipelines.messages.lines import CaptionLine, LinePlace
from pipelines.testing.captions import document, typed


def test_ebu_stl_counts_from_the_start_of_its_programme() -> None:
    raw = bytearray(write(CaptionFormat.STL, document([typed("one")])))
    raw[256:264] = b"10000000"
    raw[1024 + 5], raw[1024 + 9] = 10, 10
    found = parse_subtitles(bytes(raw))
    assert (found.lines[0].start_ms, found.lines[0].end_ms) == (1_000, 2_600)
    assert "starts at 10:00:00,000, which is now zero" in found.notes[0]
    assert parse_subtitles(bytes(raw), reading=Reading(50)).lines[0].end_ms == 2_300


def test_a_subtitle_of_ebu_stl_that_builds_up_is_shown_whole_and_told() -> None:
    lines = [CaptionLine(str(start), start, 5_000, f"row {start}") for start in (1_000, 2_000, 3_000)]
    raw = bytearray(write(CaptionFormat.STL, document([*lines, CaptionLine("4", 6_000, 7_000, "next")])))
    for number, status in enumerate((1, 2, 3)):
        raw[1024 + 128 * number + 4] = status
    found = parse_subtitles(bytes(raw))
    assert [(line.start_ms, line.end_ms, line.text) for line in found.lines] == [
        (1_000, 5_000, "row 1000\nrow 2000\nrow 3000"),
        (6_000, 7_000, "next"),
    ]
    assert found.notes == ("1 caption appears bit by bit in the file and is shown whole from the beginning.",)


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("Hello مرحبا there", "Hello مرحبا there"),
        ("مرحبا، كيف؟ ٣", "مرحبا، كيف؟ 3"),
        ("Привет — «да»", 'Привет - "да"'),
        ("5 € á", "5 EUR á"),
        ("Ελλάδα €", "Ελλάδα EUR"),
    ],
)
def test_ebu_stl_takes_the_table_that_lacks_least(text: str, back: str) -> None:
    lines = document([typed(text)])
    found = parse_subtitles(write(CaptionFormat.STL, lines))
    assert found.lines[0].text == back
    assert not any("question marks" in each for each in losses(CaptionFormat.STL, lines))
    assert any("“EUR” stands for it" in each for each in losses(CaptionFormat.STL, lines)) == ("€" in text)


def test_letters_outside_the_table_of_an_ebu_stl_file_are_told() -> None:
    raw = bytearray(write(CaptionFormat.STL, document([typed("مرحبا")])))
    raw[1024 + 16] = 0xFF
    assert parse_subtitles(bytes(raw)).notes[0].startswith("1 letter of the file cannot be read and shows as “\ufffd”")


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


POP_ON = "94ae 94ae 9420 9420 9470 9470 {} 942f 942f"
HELLO = POP_ON.format("c845 4c4c 4f80")
SCC = "Scenarist_SCC V1.0\n\n"


def test_the_last_caption_that_nothing_erases_stays_as_long_as_pycaption_shows_it() -> None:
    text = f"{SCC}00:00:01:00\t{HELLO}\n\n"
    (line,) = parse_subtitles(text.encode()).lines
    (stock,) = pycaption.SCCReader().read(text).get_captions("en-US")
    assert line.duration_ms == 4_000 == pytest.approx((stock.end - stock.start) / 1_000, abs=70)
    rolled = f"{SCC}00:00:01;00\t9425 9425 94ad 94ad 9470 9470 4f4e 4580\n"
    assert parse_subtitles(rolled.encode()).lines[0].duration_ms == 4_000


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (f"00:00:01:00\t{HELLO}", "This file lacks the first row of an SCC file"),
        (f"Sbenarist_SCX V1.0\n\n00:00:01:00\t{HELLO}", "1 row cannot be read (1: “Sbenarist_SCX V1.0”)"),
        (f"{SCC}00:00:01:00\t{HELLO.replace('4c4c', '4c4x')}", "1 row cannot be read (3: “4c4x”)"),
        (f"{SCC}00:00:01:00\t{HELLO}\n00:00:0x:00\t{HELLO}", "1 row cannot be read (4: “00:00:0x:00"),
        (f"{SCC}00:00:01:00\t{HELLO.replace('4c4c', '4c4d')}", "1 byte has a wrong check bit"),
        (f"{SCC}00:00:01:00\t{HELLO.replace('942f', '')}\n00:00:03:00\t{HELLO}", "shows it (“HELLO”)"),
        (f"{SCC}00:00:01:00\t{HELLO}\n00:00:03:00\t1c20 1c20 4f4e 4580", "3 letters for other caption channels"),
        (
            f"{SCC}00:00:01:00\t{HELLO.replace('942f 942f', '9470 9470 4f4e 4580 942f 942f')}",
            "3 letters were left out, because the file writes others",
        ),
        (f"{SCC}01:00:01:00\t{HELLO}", "The programme of this file starts at 01:00:00,000, which is now zero."),
    ],
)
def test_what_a_decoder_would_lose_of_line_21_is_told(text: str, note: str) -> None:
    found = parse_subtitles(text.encode())
    assert found.form == "scc"
    assert any(note in each for each in found.notes), found.notes
    assert found.lines[-1].start_ms < 5_000
    assert parse_subtitles(f"{SCC}00:00:01:00\t{HELLO}".encode()).notes == ()


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
    assert parse_subtitles(TTML.encode(), reading=Reading(50)).lines[0].start_ms == 11_100


def ttml(body: str, attributes: str = "") -> Imported:
    return parse_subtitles(
        f'<tt xmlns="http://www.w3.org/ns/ttml" {attributes}><body><div>{body}</div></body></tt>'.encode()
    )


def said(found: Imported) -> list[tuple[int, int, str]]:
    return [(line.start_ms, line.end_ms, line.text) for line in found.lines]


@pytest.mark.parametrize(
    ("text", "read", "signs"),
    [
        ("Tom & Jerry&apos;s", "Tom & Jerry's", 1),
        ("Caf&eacute; &quot;Paris&quot;&nbsp;!", 'Café "Paris"\u00a0!', 2),
        ("a < b, AT&T, &what; &#0;", "a < b, AT&T, &what; &#0;", 4),
        ("x & y<![CDATA[ & <z> &amp;]]>", "x & y & <z> &amp;", 1),
    ],
)
def test_what_xml_does_not_allow_is_read_and_told(text: str, read: str, signs: int) -> None:
    found = ttml(f'<p begin="1s" end="2s">{text}</p><p begin="3s" end="4s">&quot;next&quot;</p>')
    assert [line.text for line in found.lines] == [read, '"next"']
    (note,) = found.notes
    assert note.startswith(f"{signs} sign")
    assert "is read" not in note


def test_entities_of_the_document_itself_are_read() -> None:
    doctype = '<!DOCTYPE tt [<!ENTITY who "Ada">]>'
    raw = f'{doctype}<tt xmlns="http://www.w3.org/ns/ttml"><body><p begin="1s" end="2s">&who;!</p></body></tt>'
    assert (parse_subtitles(raw.encode()).lines[0].text, parse_subtitles(raw.encode()).notes) == ("Ada!", ())


def test_letters_that_a_damaged_document_loses_are_counted() -> None:
    found = ttml('<p begin="1s" end="2s">one</q><p begin="3s" end="4s">two</p>not in a caption')
    assert [line.text for line in found.lines] == ["one", "two"]
    assert [note.partition(" were left out")[0].partition(":")[0] for note in found.notes] == [
        "13 characters of text outside readable captions",
        "This file is damaged or cut off at row 1",
    ]
    cut = ttml('<p begin="1s" end="2s">one</p>stray').notes
    assert cut == ("5 characters of text outside readable captions were left out. Compare the captions with the file.",)


def test_a_time_that_cannot_be_read_is_told() -> None:
    found = ttml('<p begin="00:00:01,500" end="2s">one</p><p begin="00:00:0x.000" end="4s">two</p>')
    assert said(found)[1] == (1_500, 2_000, "one")
    assert found.notes[0].startswith("1 row looks like a time but cannot be read as one (1: “00:00:0x.000”)")
    assert "1 caption has no time and starts at zero." in found.notes


def test_text_with_times_of_its_own_is_shown_at_them() -> None:
    found = ttml('<p begin="1s" end="9s">sign <span begin="1s" end="3s">word</span></p>')
    assert said(found) == [(1_000, 2_000, "sign"), (2_000, 4_000, "sign word"), (4_000, 9_000, "sign")]
    assert found.notes == ("1 caption changes while on screen and became 3 lines.",)
    found = ttml('<p><span begin="1s" end="2s">one</span><br/><span begin="3s" end="4s">two</span></p>')
    assert said(found) == [(1_000, 2_000, "one"), (3_000, 4_000, "two")]
    found = ttml('<p begin="1s" end="9s"><span>one</span> <span begin="2s">two</span></p>')
    assert said(found) == [(1_000, 9_000, "one two")]
    assert found.notes == ("1 caption appears bit by bit in the file and is shown whole from the beginning.",)
    late = ttml('<p begin="1s" end="2s">one <span begin="5s" end="6s">late</span></p>')
    assert [line.text for line in late.lines] == ["one", "late"]


def test_a_tape_counts_from_the_hour_of_its_programme() -> None:
    body = '<p begin="01:00:01:00" end="01:00:02:00">one</p>'
    smpte = 'xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:timeBase="smpte"'
    found = ttml(body, smpte)
    assert (said(found), len(found.notes)) == ([(1_000, 2_000, "one")], 1)
    assert said(ttml(body)) == [(3_601_000, 3_602_000, "one")]


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
