"""Times, WebVTT, plain text, encodings and language codes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines import languages
from pipelines.captions.forms.form import Document
from pipelines.captions.forms.json_file import write_json
from pipelines.captions.json_form import line_from_json
from pipelines.captions.limits import TIME_MS_MAX
from pipelines.captions.reading.vtt import format_vtt, parse_vtt
from pipelines.captions.texts.plain import format_plain
from pipelines.captions.timestamps import BadTime, format_time, parse_time
from pipelines.messages.lines import CaptionLine


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("00:01:02,500", 62_500),
        ("00:01:02.500", 62_500),
        ("1:2,5", 62_500),
        ("0:01:02.5", 62_500),
        (" 00 : 01 : 02 , 500 ", 62_500),
        ("100:00", 6_000_000),
        ("01:02:03", 3_723_000),
        ("00:00:02,3", 2_300),
        ("00:00:02,34567", 2_345),
        ("99:59:59,999", TIME_MS_MAX),
    ],
)
def test_times_are_read_in_their_usual_spellings(text: str, moment: int) -> None:
    assert parse_time(text) == moment


@pytest.mark.parametrize("text", ["", "abc", "12", "1:2:3:4:5", "-00:00:01,000", "٠٠:٠١:٠٢", "100:00:00,000"])
def test_bad_times_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadTime, match=r"\.$"):
        parse_time(text)


@given(st.integers(0, TIME_MS_MAX))
def test_every_time_survives_text(moment: int) -> None:
    assert parse_time(format_time(moment)) == moment
    assert parse_time(format_time(moment, ".")) == moment


def test_times_are_padded() -> None:
    assert format_time(3_661_007) == "01:01:01,007"
    assert format_time(-5) == "00:00:00,000"


LINES = [
    CaptionLine("1", 0, 1_000, "a < b & c --> d"),
    CaptionLine("2", 1_100, 2_000, "<b>two</b>\nrows"),
    CaptionLine("3", 5_000, 6_000, "after a pause"),
    CaptionLine("4", 6_100, 6_500, ""),
]


def test_vtt_escapes_and_is_read_back() -> None:
    written = format_vtt(LINES, "is-IS")
    assert written.startswith("WEBVTT\nLanguage: is-IS\n\n00:00:00.000 --> 00:00:01.000\na &lt; b &amp; c --&gt; d\n\n")
    assert [(line.start_ms, line.end_ms, line.text) for line in parse_vtt(written)] == [
        (line.start_ms, line.end_ms, line.text) for line in LINES[:3]
    ]


def test_vtt_is_read_without_notes_styles_and_tags() -> None:
    source = (
        "\ufeffWEBVTT - a title\r\nX: y\r\n\r\nSTYLE\r\n::cue {}\r\n\r\nNOTE\r\nnot shown\r\n\r\nid 7\r\n"
        "00:01.000 --> 00:02.000 align:start line:0\r\n<v Anna>Hello <00:01.500><c.red>there</c>\r\n\r\n"
        "01:00:00.000 --> 01:00:01.000\r\nend\r\n"
    )
    assert [(line.start_ms, line.end_ms, line.text) for line in parse_vtt(source)] == [
        (1_000, 2_000, "Hello there"),
        (3_600_000, 3_601_000, "end"),
    ]


def test_plain_text_starts_paragraphs_after_silence() -> None:
    assert format_plain(LINES) == "a < b & c --> d <b>two</b> rows\n\nafter a pause\n"
    assert format_plain([]) == ""


def test_json_download_holds_every_line() -> None:
    whole = json.loads(write_json(Document(LINES, "is-IS")))
    assert whole["language"] == "is-IS"
    assert [line_from_json(line) for line in whole["lines"]] == LINES


def test_language_lists_have_the_required_sizes_and_entries() -> None:
    assert len(languages.REGIONAL) == 24
    assert len(languages.BROAD) == 80
    values = {option.value for option in languages.BROAD}
    assert {"af", "sq", "zh", "zh-TW", "fa-AF", "fr-CA", "pt", "pt-PT", "es-MX"} <= values
    assert len({option.value for option in (*languages.REGIONAL, *languages.BROAD)}) == 24 + 80 - 2
    assert {option.country for option in languages.REGIONAL if option.value.startswith("en-")} == {
        *("US", "AU", "GB", "IN", "IE", "ZA"),
    }


def test_language_lookup() -> None:
    assert languages.language_label("is-IS") == "Icelandic"
    assert languages.language_label("zh-TW") == "Chinese (Traditional)"
    assert languages.language_label("xx-YY") == "Unknown"
    assert not languages.is_known("xx-YY")
    assert languages.is_known("EN-us")


def test_codes_of_models_and_media_tracks() -> None:
    assert languages.whisper_code("is-IS") == "is"
    assert languages.whisper_code("nb-NO") == "no"
    assert languages.whisper_code("auto") is None
    assert languages.iso_639_2("is-IS") == "isl"
    assert languages.iso_639_2("zh-TW") == "zho"
    assert languages.iso_639_2("xx") == "und"
    assert all(languages.iso_639_2(option.value) != "und" for option in (*languages.BROAD, *languages.REGIONAL))
    assert languages.locale_of("is") == "is-IS"
    assert languages.locale_of("xx") == "xx"
