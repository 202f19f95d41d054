"""SubRip of any origin: every form is read, no text is lost, and our output can be read back."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.srt import format_srt, parse_srt
from pipelines.captions.texts.text import clean_text
from pipelines.messages.lines import CaptionLine

GOOD = "1\n00:00:01,000 --> 00:00:02,500\nHello there\n\n2\n00:00:03,000 --> 00:00:04,000\nSecond row\nbelow\n"
WANTED = [(1000, 2500, "Hello there"), (3000, 4000, "Second row\nbelow")]


def read(source: str | bytes, language: str | None = None) -> list[tuple[int, int, str]]:
    return [(line.start_ms, line.end_ms, line.text) for line in parse_srt(source, language)]


@pytest.mark.parametrize(
    "source",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.encode("utf-8-sig"),
        GOOD.encode("utf-16"),
        GOOD.encode("utf-16-le"),
        GOOD.encode("utf-16-be"),
        GOOD.encode("utf-32"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.replace("\n", "\r\r\n"),
        GOOD.replace("\n", "\u2028"),
        GOOD.replace(",", "."),
        GOOD.replace(",", " , "),
        GOOD.replace(" --> ", "-->"),
        GOOD.replace("-->", "->"),
        GOOD.replace("-->", "→"),
        GOOD.replace("00:00:0", "0:0:"),
        GOOD.replace("00:00:0", "0:"),
        GOOD.replace("\n\n2\n", "\n2\n"),
        GOOD.replace("\n\n2\n", "\n\n\n\n2\n\n"),
        re.sub(r"^\d\n", "", GOOD, flags=re.MULTILINE),
        GOOD.replace("1\n00", "1\n00", 1).replace("\n2\n", "\n1\n"),
        GOOD.replace("\n2\n", "\n977\n"),
        GOOD.replace("1\n00:00:01", "0\n00:00:01").replace("\n2\n", "\n1\n"),
        GOOD.replace("02,500", "02,500 X1:100 X2:600 Y1:20 Y2:50"),
        GOOD.replace("02,500", "02,500 align:start position:0%"),
        "\n\n\n" + GOOD + "\n\n",
        GOOD.rstrip(),
        GOOD.replace("Hello", " \x00Hello\x07 "),
        # Cues out of order.
        "2\n00:00:03,000 --> 00:00:04,000\nSecond row\nbelow\n\n1\n00:00:01,000 --> 00:00:02,500\nHello there\n",
        # Text on the row of the times.
        GOOD.replace("02,500\nHello", "02,500 Hello"),
        # A blank row inside the text.
        GOOD.replace("Second row\n", "Second row\n\n"),
    ],
)
def test_broken_forms_read_like_the_good_one(source: str | bytes) -> None:
    assert read(source) == WANTED


def test_missing_blank_rows_in_a_piece_of_a_longer_file() -> None:
    piece = "200\n00:10:00,000 --> 00:10:01,000\none\n201\n00:10:02,000 --> 00:10:03,000\ntwo\n"
    assert [text for _, _, text in read(piece)] == ["one", "two"]


def test_a_year_above_a_time_is_text() -> None:
    source = "00:00:01,000 --> 00:00:02,000\nIn the year\n1984\n00:00:03,000 --> 00:00:04,000\nit was cold\n"
    assert [text for _, _, text in read(source)] == ["In the year\n1984", "it was cold"]


def test_an_arrow_in_text_is_text() -> None:
    source = "1\n00:00:01,000 --> 00:00:02,000\nfrom A --> B\nat 10:30 -> 11:30\n"
    assert read(source) == [(1000, 2000, "from A --> B\nat 10:30 -> 11:30")]


def test_text_before_the_first_time_is_kept() -> None:
    assert read("A title\n\n" + GOOD) == [(0, 1000, "A title"), *WANTED]


def test_missing_end_gets_one_before_the_next_line() -> None:
    source = "00:00:01,000 -->\none\n\n00:00:02,000 -->\ntwo\n\n00:00:20,000 --> 00:00:19,000\nthree\n"
    assert read(source) == [(1000, 2000, "one"), (2000, 4000, "two"), (20_000, 22_000, "three")]


def test_overlap_is_cut_and_equal_starts_share_a_line() -> None:
    source = (
        "00:00:01,000 --> 00:00:05,000\none\n\n00:00:03,000 --> 00:00:04,000\ntwo\n\n00:00:03,000 --> 00:00:06,000\n3\n"
    )
    assert read(source) == [(1000, 3000, "one"), (3000, 6000, "two\n3")]


@pytest.mark.parametrize(
    ("encoding", "language", "text"),
    [
        ("cp1252", "is-IS", "Það er þoka á Þingvöllum í dag, sagði Ævar"),
        ("cp1252", "de-DE", "Größe, Übung und Ärger"),
        ("cp1251", "ru-RU", "Съешь ещё этих мягких французских булок"),
        ("cp1250", "pl-PL", "Zażółć gęślą jaźń"),
        ("cp932", "ja", "こんにちは世界"),
        ("gb18030", "zh", "你好,世界"),
        ("big5", "zh-TW", "你好世界"),
        ("cp1256", "ar", "مرحبا بالعالم"),
    ],
)
def test_odd_encodings_with_the_language_known(encoding: str, language: str, text: str) -> None:
    raw = f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n".encode(encoding)
    assert read(raw, language) == [(1000, 2000, text)]


def test_odd_encoding_guessed_from_its_letters() -> None:
    text = "Съешь ещё этих мягких французских булок, да выпей чаю. " * 4
    raw = f"1\r\n00:00:01,000 --> 00:00:02,000\r\n{text}\r\n".encode("cp1251")
    assert read(raw)[0][2] == text.strip()


def test_text_without_times_is_refused_with_a_sentence_and_nothing_is_empty() -> None:
    with pytest.raises(UnreadableSubtitles, match=r"No caption times were found in this file\."):
        parse_srt("Just a letter.\nNothing else.")
    assert parse_srt("") == []
    assert parse_srt(b"\xef\xbb\xbf\n \n") == []


NASTY = [
    "00:00:01,000 --> 00:00:02,000",
    "a\n\nb",
    "7",
    "\n42\n",
    "x --> y",
    "1\n00:00:05,000 --> 00:00:06,000\nfake",
    "00:00:05,000 -> 00:00:06,000 fake",
    "<i>it</i> {\\an8}",
    "WEBVTT",
    "emoji 👩‍👩‍👧 and עברית",
]


def test_nothing_in_a_text_makes_another_cue() -> None:
    lines = [CaptionLine(str(i), i * 1000, i * 1000 + 900, text) for i, text in enumerate(NASTY)]
    written = format_srt(lines)
    assert read(written) == [(line.start_ms, line.end_ms, clean_text(line.text)) for line in lines]
    # A strict reader agrees, which separates cues at empty rows and takes any row with an arrow for a time.
    blocks = written.strip().split("\n\n")
    assert len(blocks) == len(NASTY)
    assert all(sum("-->" in row for row in block.split("\n")) == 1 for block in blocks)


texts = st.text(st.sampled_from("ab1 9\n\r-->:,.0<&{\\é語\ufeff\u2028"), max_size=40)


@pytest.mark.long
@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(1, 5_000), texts), max_size=8))
def test_round_trip(cues: list[tuple[int, int, str]]) -> None:
    lines, clock = [], 0
    for gap, length, text in cues:
        start = clock + gap
        clock = start + length
        lines.append(CaptionLine("", start, clock, clean_text(text)))
    wanted = [(line.start_ms, line.end_ms, line.text) for line in lines if line.text]
    assert read(format_srt(lines)) == wanted
    assert read(format_srt(lines).replace("\n", "\r\n").encode("utf-16")) == wanted


pieces = st.sampled_from(
    [
        *("00:00:01,000 --> 00:00:02,000", "00:00:03.5-->", "garbage --> 00:01", "12", "", "word", "two words", "-->"),
        *("00:00:09,000 --> 00:00:08,000 tail", "NOTE x", "a\u2028b", "00:00:02,000 --> 00:00:30,000", "\t"),
    ]
)


@settings(max_examples=150)
@given(st.lists(pieces, max_size=20), st.sampled_from(["\n", "\r\n", "\r", "\n\n"]))
def test_no_word_of_any_input_is_lost_and_lines_never_overlap(rows: list[str], line_end: str) -> None:
    source = line_end.join(rows)
    wanted = re.findall(r"[a-zA-Z]+", source)
    try:
        lines = parse_srt(source)
    except UnreadableSubtitles:
        assert "00:00" not in source
        return
    found = re.findall(r"[a-zA-Z]+", "\n".join(line.text for line in lines))
    assert sorted(found) == sorted(wanted)
    assert all(line.start_ms < line.end_ms for line in lines)
    assert all(left.end_ms <= right.start_ms for left, right in pairwise(lines))
