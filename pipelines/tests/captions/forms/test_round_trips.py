"""What each form holds comes back from it, from our readers and from stock parsers."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pipelines.captions.forms.form import CaptionFormat, Document, Kept
from pipelines.captions.forms.registry import FORM_OF, FORMS, SUFFIXES, losses, write
from pipelines.captions.imports.subtitles import Imported, parse_subtitles
from pipelines.captions.limits import SPEAKERS_MAX
from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES
from pipelines.captions.reading.cues import with_words
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.captions.texts.styled_text import to_markup
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, Origin, WordStyle
from pipelines.testing.captions import LINES, NAMES, document, line, typed

READABLE = [form for form in CaptionFormat if FORM_OF[form].read is not None and form is not CaptionFormat.SCC]
"""SCC has other letters and rows; `test_scenarist` is about it."""


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
        "&lt;i&gt; &#39; &eacute; &amp;amp; AT&T",
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


@pytest.mark.long
@pytest.mark.parametrize("name", BUILT_IN_STYLES)
def test_a_drawn_script_gives_its_captions_back(name: str) -> None:
    style = BUILT_IN_STYLES[name][1]
    long = line(13_000, "字幕は日本語です。" * 9, "S1", LinePlace(5, 0.3333, 0.5))
    lines = [with_words(each) for each in [*LINES, long, line(15_000, "a <i>{comma}</i>, \\N", "S3")]]
    names = NAMES | {"S3": "Þórður, {jr.}"}
    drawn = Document(lines, "is-IS", names, SpeakerStyle.LABELS, style=style, picture=(1080, 1920))
    raw = write(CaptionFormat.ASS, drawn)
    found = parse_subtitles(raw, "is-IS")

    def shown(text: str) -> str:
        return text.upper() if style.uppercase else text

    assert b"{fit}" in raw
    assert found.notes == ()
    assert [shown(to_markup(each)) for each in found.lines] == [shown(to_markup(each)) for each in lines]
    assert [(each.start_ms, each.end_ms) for each in found.lines] == [(each.start_ms, each.end_ms) for each in lines]
    assert [found.speakers.get(each.speaker or "") for each in found.lines] == [
        names.get(each.speaker or "") for each in lines
    ]
    assert [each.place and each.place.align for each in found.lines] == [
        each.place and each.place.align for each in lines
    ]
    assert any(style.font in sentence for sentence in losses(CaptionFormat.ASS, drawn))


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


def test_more_speakers_than_a_file_has_stand_in_the_text() -> None:
    cues = "\n".join(f"{n:02}:01.000 --> {n:02}:02.000\n<v Name {n}>text\n" for n in range(SPEAKERS_MAX + 3))
    found = parse_subtitles(f"WEBVTT\n\n{cues}".encode())
    assert len(found.speakers) == SPEAKERS_MAX
    assert found.lines[-1].text == f"Name {SPEAKERS_MAX + 2}: text"
    assert "more than 20 speakers" in found.notes[0]


@pytest.mark.long
@pytest.mark.parametrize("form", list(CaptionFormat))
def test_ten_thousand_lines_are_written_and_read(form: CaptionFormat) -> None:
    lines = [
        CaptionLine(str(n), n * 2_000, n * 2_000 + 1_500, f"This is line {n}\nof a long file") for n in range(10_000)
    ]
    raw = write(form, document(lines))
    if form in READABLE:
        assert len(parse_subtitles(raw).lines) == 10_000


def test_names_of_files_tell_what_can_be_imported() -> None:
    assert {
        ".srt",
        ".vtt",
        ".ass",
        ".ssa",
        ".ttml",
        ".dfxp",
        ".sbv",
        ".scc",
        ".stl",
        ".json",
        ".smi",
        ".sub",
        ".mpl",
        ".lrc",
    } <= set(SUFFIXES)
    assert len({form.id for form in FORMS}) == len(FORMS) == len(CaptionFormat) + 4


def test_our_own_form_keeps_locks() -> None:
    locked = [replace(each, locked=each.place is not None) for each in LINES]
    assert [each.locked for each in read_back(CaptionFormat.JSON, locked).lines] == [each.locked for each in locked]
