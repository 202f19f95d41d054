"""What each form holds comes back from it, from our readers and from stock parsers."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from dataclasses import replace
from pathlib import Path

import docx
import pycaption
import pysubs2
import pytest
import ttconv.imsc.reader
import ttconv.stl.reader
from lxml import etree

from pipelines.captions.cues import with_words
from pipelines.captions.forms.form import CaptionFormat, Document, Kept
from pipelines.captions.forms.registry import FORM_OF, FORMS, SUFFIXES, losses, write
from pipelines.captions.limits import SPEAKERS_MAX
from pipelines.captions.lines import CaptionLine, CaptionWord, LinePlace, Origin, WordStyle
from pipelines.captions.speaker_names import SpeakerStyle
from pipelines.captions.styled_text import from_markup, ink_of, plain_text, to_markup, words_of_ink
from pipelines.captions.subtitles import Imported, parse_subtitles

NAMES = {"S1": "Ada Björk", "S2": "Bob & <Eve>"}
READABLE = [form for form in CaptionFormat if FORM_OF[form].read is not None]


def line(start_ms: int, markup: str, speaker: str | None = None, place: LinePlace | None = None) -> CaptionLine:
    runs = from_markup(markup)
    plain = CaptionLine(str(start_ms), start_ms, start_ms + 1_600, plain_text(runs), speaker=speaker, place=place)
    return replace(plain, words=words_of_ink(plain, ink_of(runs)))


LINES = [
    line(1_000, "Þetta er <i>skáletrað</i> orð", "S1"),
    line(3_000, "<i>Both rows\nare italic</i>", "S2", LinePlace(8)),
    line(5_000, "<b>bold</b> and <u>under the</u> line", "S1", LinePlace(7)),
    line(7_000, "middle, left", None, LinePlace(4)),
    line(9_000, "on the right", "S2", LinePlace(9)),
    line(11_000, "the end"),
]


def typed(text: str) -> CaptionLine:
    return CaptionLine("1", 1_000, 2_600, text)


def document(lines: list[CaptionLine], speakers: SpeakerStyle = SpeakerStyle.LABELS) -> Document:
    return Document(lines, "is-IS", NAMES, speakers, "A talk, in {two} parts")


def read_back(form: CaptionFormat, lines: list[CaptionLine]) -> Imported:
    return parse_subtitles(write(form, document(lines)), "is-IS")


@pytest.mark.parametrize("form", READABLE)
def test_a_form_gives_back_all_that_it_keeps(form: CaptionFormat) -> None:
    keeps = FORM_OF[form].keeps
    lines = LINES if Kept.SPEAKERS in keeps else [replace(each, speaker=None) for each in LINES]
    found = read_back(form, lines)
    assert found.form == form
    assert found.keeps == keeps
    assert [each.text for each in found.lines] == [each.text for each in lines]
    limit = 40 if form is CaptionFormat.STL else 5
    for got, meant in zip(found.lines, lines, strict=True):
        assert abs(got.start_ms - meant.start_ms) <= limit
        assert abs(got.end_ms - meant.end_ms) <= limit
        if Kept.STYLES in keeps:
            lost = ("<b>", "</b>") if form is CaptionFormat.STL else ()
            markup = to_markup(meant)
            for tag in lost:
                markup = markup.replace(tag, "")
            assert to_markup(got) == markup
        if Kept.PLACE in keeps:
            assert got.place == meant.place
        if Kept.SPEAKERS in keeps:
            names = {label: "Bob & <Eve>" if name.startswith("Bob") else name for label, name in found.speakers.items()}
            assert names.get(got.speaker or "") == NAMES.get(meant.speaker or "")


@pytest.mark.parametrize("form", [form for form in READABLE if form is not CaptionFormat.STL])
@pytest.mark.parametrize(
    "text",
    [
        "{\\an8}not a code {\\i1}x{\\i0} {brace} C:\\Nothing \\h \\{",
        "a < b > c & d &amp; e <i>f</i> <font color=red> <3 <x y='z'> </b",
        "00:00:01,000 --> 00:00:02,000\n12\n0:00:01.000,0:00:02.000",
        "]]> <!-- NOTE STYLE [Events] Dialogue: 0,1,2 <br> <v Ada>",
        "=HYPERLINK(1)\n-dash",
    ],
)
def test_text_that_looks_like_codes_stays_text(form: CaptionFormat, text: str) -> None:
    found = read_back(form, [typed(text), CaptionLine("2", 3_000, 4_000, "next")])
    assert [each.text for each in found.lines] == [text, "next"]
    assert not any(each.words and any(word.styles for word in each.words) for each in found.lines)


@pytest.mark.parametrize("form", [CaptionFormat.VTT, CaptionFormat.ASS, CaptionFormat.TTML, CaptionFormat.SRT])
@pytest.mark.parametrize("align", range(1, 10))
def test_every_place_comes_back(form: CaptionFormat, align: int) -> None:
    place = None if align == 2 else LinePlace(align)
    exact = LinePlace(align, 0.25, 0.3)
    found = read_back(form, [line(1_000, "one", None, place), line(4_000, "two", None, exact)])
    assert found.lines[0].place == place
    got = found.lines[1].place
    assert got is not None
    assert got.align == align
    assert got.x == pytest.approx(0.25, abs=0.002)
    assert got.y == pytest.approx(0.3, abs=0.002)


def test_our_own_form_loses_nothing() -> None:
    words = (
        CaptionWord(1_010, 1_200, "Hello", Origin.ASR, 0.75),
        CaptionWord(1_250, 1_900, "there", Origin.AI, None, "S2", frozenset({WordStyle.BOLD, WordStyle.ITALIC})),
    )
    whole = CaptionLine("1", 1_000, 2_000, "Hello there", words, ("loop",), "S1", place=LinePlace(5, 0.5, 0.125))
    bare = with_words(CaptionLine("2", 2_500, 3_000, "plain"))
    found = read_back(CaptionFormat.JSON, [whole, bare])
    assert [replace(each, id="") for each in found.lines] == [replace(each, id="") for each in (whole, bare)]
    assert found.speakers == NAMES
    assert found.notes == ()


def test_damaged_words_of_our_own_form_keep_their_text() -> None:
    whole = json.loads(write(CaptionFormat.JSON, document([with_words(typed("Hello there"))])))
    whole["lines"][0]["words"][0]["text"] = "Goodbye"
    found = parse_subtitles(json.dumps(whole).encode())
    assert (found.lines[0].text, found.lines[0].words) == ("Hello there", ())
    assert "estimated times" in found.notes[0]


@pytest.mark.parametrize("form", [CaptionFormat.SRT, CaptionFormat.VTT, CaptionFormat.ASS])
def test_pysubs2_reads_what_we_write(form: CaptionFormat) -> None:
    script = pysubs2.SSAFile.from_string(write(form, document(LINES)).decode("utf-8-sig"))
    assert [event.start for event in script] == [each.start_ms for each in LINES]
    if form is CaptionFormat.ASS:
        assert [event.plaintext for event in script] == [each.text for each in LINES]
        assert [event.name for event in script] == [NAMES.get(each.speaker or "", "") for each in LINES]
        assert "{\\i1}skáletrað{\\i0}" in script[0].text
        assert script[1].text.startswith("{\\an8}")


@pytest.mark.parametrize(
    ("form", "reader"),
    [
        (CaptionFormat.SRT, pycaption.SRTReader),
        (CaptionFormat.VTT, pycaption.WebVTTReader),
        (CaptionFormat.TTML, pycaption.DFXPReader),
    ],
)
def test_pycaption_reads_what_we_write(form: CaptionFormat, reader: type) -> None:
    read = reader().read(write(form, document(LINES, SpeakerStyle.NONE)).decode())
    captions = read.get_captions(read.get_languages()[0])
    assert [each.start // 1_000 for each in captions] == [each.start_ms for each in LINES]
    assert captions[0].get_text().replace("<i>", "").replace("</i>", "") == LINES[0].text


@pytest.mark.parametrize("form", [CaptionFormat.SRT, CaptionFormat.VTT, CaptionFormat.ASS, CaptionFormat.TTML])
def test_ffmpeg_reads_what_we_write(form: CaptionFormat, tmp_path: Path) -> None:
    source = tmp_path / f"talk.{form}"
    source.write_bytes(write(form, document(LINES)))
    if form is CaptionFormat.TTML:
        assert etree.parse(str(source)).getroot().tag.endswith("}tt")
        return
    probe = ["ffprobe", "-v", "error", "-show_packets", "-of", "json", str(source)]
    packets = json.loads(subprocess.run(probe, capture_output=True, check=True, timeout=60).stdout)["packets"]
    assert len(packets) == len(LINES)
    assert [round(float(packet["pts_time"]) * 1_000) for packet in packets] == [each.start_ms for each in LINES]


def test_ttconv_reads_our_ttml_and_ebu_stl() -> None:
    tree = etree.ElementTree(etree.fromstring(write(CaptionFormat.TTML, document(LINES))))
    model = ttconv.imsc.reader.to_model(tree)
    text = "".join(each.get_text() for each in model.get_body().dfs_iterator() if hasattr(each, "get_text"))
    assert "skáletrað" in text
    model = ttconv.stl.reader.to_model(io.BytesIO(write(CaptionFormat.STL, document(LINES, SpeakerStyle.NONE))))
    assert model is not None
    paragraphs = [each for each in model.get_body().dfs_iterator() if type(each).__name__ == "P"]
    assert [float(each.get_begin()) for each in paragraphs] == [each.start_ms / 1_000 for each in LINES]
    text = "".join(each.get_text() for each in model.get_body().dfs_iterator() if hasattr(each, "get_text"))
    # ttconv drops the spaces beside a change of style.
    assert "Þettaerskáletraðorð" in text.replace(" ", "")


def test_word_and_spreadsheets_read_what_we_write() -> None:
    (table,) = docx.Document(io.BytesIO(write(CaptionFormat.DOCX, document(LINES)))).tables
    assert [cell.text for cell in table.rows[0].cells] == ["Start", "End", "Speaker", "Text"]
    assert table.rows[2].cells[3].text == "Both rows\nare italic"
    assert table.rows[1].cells[2].text == "Ada Björk"
    assert [run.italic for run in table.rows[1].cells[3].paragraphs[0].runs] == [None, True, None]
    text = write(CaptionFormat.CSV, document([*LINES, typed("=1+1")])).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["text"] for row in rows] == [*(each.text for each in LINES), "'=1+1"]
    assert rows[0]["speaker"] == "Ada Björk"
    assert int(rows[0]["end_ms"]) == LINES[0].end_ms


def test_what_a_form_cannot_hold_is_said() -> None:
    assert losses(CaptionFormat.SBV, document(LINES)) == [
        "3 captions have italics, bold or underlining, which YouTube cannot hold.",
        "4 captions have a place on the picture, which YouTube cannot hold.",
    ]
    assert losses(CaptionFormat.JSON, document(LINES)) == []
    assert losses(CaptionFormat.VTT, document(LINES)) == []
    long = document([typed("x" * 38), typed("日本")])
    assert losses(CaptionFormat.STL, long) == [
        "Times are counted in frames, 25 a second.",
        "1 caption has a row of more than 37 characters, which teletext cannot show.",
        "1 caption has letters that this form does not have. They become question marks.",
    ]
    assert losses(CaptionFormat.TTML, document(LINES, SpeakerStyle.NONE))[0].startswith("Speakers are left out")


def test_other_alphabets_have_their_own_table_in_ebu_stl() -> None:
    for text in ("Привет, мир", "Γειά σου", "שלום", "Ángstrøm, naïve, Łódź, Đurđa"):
        assert read_stl(text) == text
    assert read_stl("Það er Ðallt") == "Það er Ðallt"


def read_stl(text: str) -> str:
    language = "is" if "Ð" in text else "en"
    raw = write(CaptionFormat.STL, Document([typed(text)], language))
    return parse_subtitles(raw, language).lines[0].text


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


def test_more_speakers_than_a_file_has_stand_in_the_text() -> None:
    cues = "\n".join(f"{n:02}:01.000 --> {n:02}:02.000\n<v Name {n}>text\n" for n in range(SPEAKERS_MAX + 3))
    found = parse_subtitles(f"WEBVTT\n\n{cues}".encode())
    assert len(found.speakers) == SPEAKERS_MAX
    assert found.lines[-1].text == f"Name {SPEAKERS_MAX + 2}: text"
    assert "more than 20 speakers" in found.notes[0]


@pytest.mark.parametrize("form", list(CaptionFormat))
def test_ten_thousand_lines_are_written_and_read(form: CaptionFormat) -> None:
    lines = [
        CaptionLine(str(n), n * 2_000, n * 2_000 + 1_500, f"This is line {n}\nof a long file") for n in range(10_000)
    ]
    raw = write(form, document(lines))
    if form in READABLE:
        assert len(parse_subtitles(raw).lines) == 10_000


def test_names_of_files_tell_what_can_be_imported() -> None:
    assert {".srt", ".vtt", ".ass", ".ssa", ".ttml", ".dfxp", ".sbv", ".scc", ".stl", ".json"} <= set(SUFFIXES)
    assert len({form.id for form in FORMS}) == len(FORMS) == len(CaptionFormat) + 1


def test_our_own_form_keeps_locks() -> None:
    locked = [replace(each, locked=each.place is not None) for each in LINES]
    assert [each.locked for each in read_back(CaptionFormat.JSON, locked).lines] == [each.locked for each in locked]
