"""Captions as an ASS script: what each style writes, fonts for each script, words that follow the voice."""

from __future__ import annotations

import re

import pytest
from pydantic import ValidationError

from pipelines.captions.fonts.font_files import FONT_FILES, FONTS_DIR, font_face
from pipelines.captions.fonts.glyphs import missing_characters, unbundled_characters
from pipelines.captions.picture.ass_document import font_size, write_ass
from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES
from pipelines.captions.texts.word_turns import turns_of
from pipelines.messages.caption_style import CHOSEN_FAMILIES, DEFAULT_STYLE, BoxKind, CaptionStyle, Karaoke
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, WordStyle


def line(text: str, **values: object) -> CaptionLine:
    words = tuple(CaptionWord(500 + 200 * n, 700 + 200 * n, word) for n, word in enumerate(text.split()))
    return CaptionLine("1", 500, 2_000, text, words, **values)  # type: ignore[arg-type]


def events(script: str) -> list[str]:
    return [row.split(",", 9)[9] for row in script.splitlines() if row.startswith("Dialogue:")]


def style_row(script: str) -> dict[str, str]:
    names, values = (
        row.split(": ", 1)[1].split(",") for row in script.splitlines() if row.startswith(("Format: Name", "Style:"))
    )
    return dict(zip((name.strip() for name in names), values, strict=True))


def visible(text: str) -> str:
    return re.sub(r"(?<!\\)\{[^}]*\}", "", text).replace("\\N", " ")


def test_lengths_follow_the_picture_and_colours_are_written_backwards() -> None:
    style = CaptionStyle(size=60, colour="#12ab34", outline=4, margin_y=90, align=8, bold=True)
    small, large = (style_row(write_ass([], style, 16 * side // 9, side)) for side in (540, 2160))
    assert (small["Fontsize"], large["Fontsize"]) == ("30", "120")
    assert (small["Outline"], large["Outline"]) == ("2", "8")
    assert (small["MarginV"], large["MarginV"]) == ("45", "180")
    assert (small["PrimaryColour"], small["Alignment"], small["Bold"]) == ("&H0034AB12", "8", "-1")
    assert "PlayResX: 960\nPlayResY: 540\n" in write_ass([], style, 960, 540)


def test_boxes() -> None:
    rows = style_row(write_ass([], CaptionStyle(box=BoxKind.ROWS, box_opacity=0.5, box_colour="#ff0000"), 1920, 1080))
    block = style_row(write_ass([], CaptionStyle(box=BoxKind.BLOCK, box_padding=20), 1920, 1080))
    assert (rows["BorderStyle"], rows["OutlineColour"]) == ("3", "&H800000FF")
    assert (block["BorderStyle"], block["Shadow"]) == ("4", "20")


def test_styled_words_places_and_speakers() -> None:
    words = (CaptionWord(500, 700, "Very", styles=frozenset({WordStyle.ITALIC})), CaptionWord(700, 900, "good"))
    top = CaptionLine("1", 500, 2_000, "Anna: Very good", words, speaker="S1", place=LinePlace(8))
    free = CaptionLine("2", 2_000, 3_000, "there", (), place=LinePlace(5, 0.25, 0.5))
    style = CaptionStyle(speaker_colours={"S1": "#ffee00"})
    first, second = events(write_ass([top, free], style, 1920, 1080, speakers={"S1": "Anna, {x}"}))
    assert first == r"{\an8}{\1c&H00EEFF&}Anna: {\i1}Very {\i0}good"
    assert second == r"{\an5\pos(480,540)}there"
    assert ",Captions,Anna\u201a {x},0,0,0,," in write_ass([top], style, 1920, 1080, speakers={"S1": "Anna, {x}"})


@pytest.mark.parametrize("text", ["{\\an8}x", "a\\Nb", "\\fnArial", "{", "}{", "\\", "x\\{\\b1}y", "\x00\u2028a"])
@pytest.mark.parametrize("karaoke", [Karaoke.NONE, Karaoke.POP])
def test_text_of_people_is_never_a_code(text: str, karaoke: Karaoke) -> None:
    for written in events(write_ass([line(text)], CaptionStyle(karaoke=karaoke, fit=0), 640, 360)):
        # After a backslash comes a brace of the text, or the joiner; all codes are in braces that we opened.
        rest = re.sub(r"\{\\(?:fn|fs|b\d|i\d|1c|an|fscx)[^{}]*\}", "", written)
        assert re.fullmatch(r"(?:[^\\{}]|\\\u2060|\\[{}])*", rest), written


def test_each_script_names_a_bundled_font() -> None:
    text = "Hello مرحبا שלום สวัสดี नमस्ते 字幕 자막 かな 😀 ok"
    (written,) = events(write_ass([line(text)], CaptionStyle(font="Inter", fit=0), 1920, 1080, emoji_bytes=0))
    named = re.findall(r"\\fn([^\\}]+)", written)
    for family in ("Arabic", "Hebrew", "Thai", "Devanagari", "CJK JP"):
        assert f"Noto Sans {family}" in named
    assert "Noto Emoji" in named
    assert visible(written) == text
    assert unbundled_characters([text]) == set() == set(missing_characters([text]))


def test_every_named_font_has_a_file_that_knows_its_name() -> None:
    assert set(CHOSEN_FAMILIES) <= set(FONT_FILES)
    bundled = {path.name for path in FONTS_DIR.glob("*.[ot]tf")}
    assert {name for names in FONT_FILES.values() for name in names} == bundled
    for family in CHOSEN_FAMILIES:
        assert set("Ðþæö áéíóú ÆØÅ ßñç") <= set(font_face(family).widths)


def test_a_word_has_its_turn_until_the_next_begins() -> None:
    spoken = line("one two three")
    turns = turns_of(spoken, Karaoke.HIGHLIGHT)
    assert [(turn.start_ms, turn.end_ms, turn.word) for turn in turns] == [
        (500, 700, 0), (700, 900, 1), (900, 2_000, 2),
    ]  # fmt: skip
    late = CaptionLine("1", 0, 1_000, "a b", (CaptionWord(400, 500, "a"), CaptionWord(404, 3_000, "b")))
    spans = [(turn.start_ms, turn.end_ms, turn.word) for turn in turns_of(late, Karaoke.FILL)]
    assert spans == [(0, 400, None), (400, 1_000, 1)]
    assert len(turns_of(spoken, Karaoke.NONE)) == 1


def test_words_change_colour_as_they_are_spoken() -> None:
    def shown(karaoke: Karaoke) -> list[str]:
        return events(write_ass([line("one two")], CaptionStyle(karaoke=karaoke, karaoke_colour="#00ff00"), 1920, 1080))

    green, white = r"{\1c&H00FF00&}", r"{\1c&HFFFFFF&}"
    assert shown(Karaoke.HIGHLIGHT) == [f"{green}one {white}two", f"one {green}two"]
    assert (
        shown(Karaoke.FILL) == [f"{green}one {white}two", f"{green}one two"] or shown(Karaoke.FILL)[1].count(green) == 1
    )
    assert all("fscx114" in text for text in shown(Karaoke.POP))


def test_sizes_shrink_until_the_letters_fit() -> None:
    assert font_size(DEFAULT_STYLE, 1920) == 56
    # 5 % of the width of a picture of 9:16 instead of 3.8 %.
    assert font_size(DEFAULT_STYLE, 1080) == 56
    assert font_size(DEFAULT_STYLE.model_copy(update={"size": 110}), 1080) < 80
    assert font_size(DEFAULT_STYLE.model_copy(update={"fit": 0}), 1080) == 56


def test_built_in_styles_are_valid_and_others_are_refused() -> None:
    for name, style in BUILT_IN_STYLES.values():
        assert CaptionStyle.from_json(style.to_json()) == style, name
    for wrong in (
        {"font": "Comic Sans"},
        {"colour": "red"},
        {"size": 9_999},
        {"align": 0},
        {"speaker_colours": {"S1": "{"}},
    ):
        with pytest.raises(ValidationError):
            CaptionStyle.from_json(wrong)


@pytest.mark.long
def test_a_script_of_ten_thousand_lines_names_every_line() -> None:
    lines = [CaptionLine(str(n), n * 1_000, n * 1_000 + 900, f"Line {n}\nof many", ()) for n in range(10_000)]
    assert len(events(write_ass(lines, DEFAULT_STYLE, 1920, 1080))) == 10_000
