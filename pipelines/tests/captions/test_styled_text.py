"""Italics, bold, underlining and place follow their words through every edit, and survive as text with tags."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.captions.edits.edit import edit_line, merge, split_at
from pipelines.captions.json_form import line_from_json, line_to_json
from pipelines.captions.texts.stored_words import words_from_stored, words_to_store
from pipelines.captions.texts.styled_text import from_markup, ink_of, plain_text, to_markup, words_of_ink
from pipelines.captions.texts.text import clean_text
from pipelines.captions.texts.word_times import spread_text
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import NO_STYLES, CaptionLine, LinePlace, Origin, WordStyle

ITALIC = frozenset({WordStyle.ITALIC})
TOP = LinePlace(8)


def marked(markup: str, start_ms: int = 0, identity: str = "a") -> CaptionLine:
    """A line of two seconds from text with tags, at the top of the picture."""
    runs = from_markup(markup)
    line = CaptionLine(identity, start_ms, start_ms + 2_000, clean_text(plain_text(runs)), place=TOP)
    words = words_of_ink(line, ink_of(runs)) or spread_text(line.text, start_ms, start_ms + 2_000, Origin.HUMAN)
    return replace(line, words=words)


@pytest.mark.parametrize(
    "markup",
    [
        "plain",
        "<i>all of it</i>",
        "one <i>two three</i> four",
        "<i><b><u>deep</u></b></i> and <b>strong</b>",
        "<i>over\ntwo rows</i>",
        "<i>今日は</i>いい",
        "a < b and <3 and <x>",
    ],
)
def test_text_with_tags_comes_back_the_same(markup: str) -> None:
    assert to_markup(marked(markup)) == markup


def test_a_word_has_the_style_that_half_of_its_letters_have() -> None:
    assert to_markup(marked("<i>word</i>, a<i>b</i>c")) == "<i>word,</i> abc"


@pytest.mark.parametrize(
    ("old", "text", "new"),
    [
        ("say <i>the word</i> now", "say the big word now", "say <i>the big word</i> now"),
        ("say <i>the word</i> now", "say the worb now", "say <i>the worb</i> now"),
        ("say <i>the word</i> now", "so say the word now", "so say <i>the word</i> now"),
        ("<i>the word</i>", "the word again", "<i>the word again</i>"),
        ("<i>the</i> word", "the new word", "<i>the</i> new word"),
        ("<i>gone</i> stays", "stays", "stays"),
    ],
)
def test_typing_keeps_the_style_around_it(old: str, text: str, new: str) -> None:
    (after,) = edit_line([marked(old)], "a", text=text).after
    assert to_markup(after) == new
    assert after.place == TOP


def test_split_and_merge_keep_styles_and_place() -> None:
    parts = split_at([marked("one <i>two three</i> four")], "a", 7, new_id="b", rules=DEFAULT_RULES).after
    assert [to_markup(part) for part in parts] == ["one <i>two</i>", "<i>three</i> four"]
    assert [part.place for part in parts] == [TOP, TOP]
    (whole,) = merge(parts, "a").after
    assert to_markup(whole) == "one <i>two three</i> four"
    assert whole.place == TOP


def test_styles_and_place_survive_storage() -> None:
    line = replace(marked("one <b>two</b>"), place=LinePlace(7, 0.25, 0.5))
    assert line_from_json(line_to_json(line)) == line
    stored = words_to_store(line)
    assert words_from_stored(stored, line.text, line.start_ms, line.end_ms) == line.words
    assert words_to_store(marked("upright")) == []


def test_a_long_text_of_tags_takes_linear_time() -> None:
    text = "<i>" * 20_000 + "a" + "</b>" * 20_000 + "<" * 20_000
    (first, *_) = from_markup(text)
    assert first.text.startswith("a")
    assert first.styles == ITALIC
    assert from_markup("<u/>x")[0].styles != NO_STYLES
