"""Lines from words: the profile's numbers hold for any input, and breaks fall where readers want them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.captions.line_builder import lines_from_segments, lines_from_words
from pipelines.captions.texts.break_points import Break, break_after, wrap
from pipelines.captions.texts.function_words import LEANING
from pipelines.captions.texts.text import same_word, visible_length, without_space, word_units
from pipelines.messages.caption_rules import DEFAULT_RULES, CaptionRules
from pipelines.messages.lines import CaptionWord, Origin
from pipelines.testing.captions import spoken
from serve.tasks.transcription.messages import Segment, Word

TALK = (
    "We shall fight on the beaches, we shall fight on the landing grounds, we shall fight in the fields and in the "
    "streets, we shall fight in the hills; we shall never surrender. Dr. Smith came at 3. He said: I do not know what "
    "the matter is. Then he left the house and went into the garden because it was a beautiful day. Why not? Let's go. "
    "The committee has decided, after a long and rather difficult discussion of the matter, that nothing will be done "
    "about it until the end of the year."
)


def test_default_numbers_are_the_profile_of_the_product() -> None:
    rules = CaptionRules()
    assert (rules.max_row, rules.max_rows, rules.warn_speed, rules.max_speed) == (42, 2, 17, 20)
    assert (rules.min_ms, rules.max_ms, rules.gap_ms) == (1_000, 7_000, 100)


def test_a_talk_is_cut_at_sentences_and_clauses_and_keeps_every_word() -> None:
    words = spoken(TALK)
    lines = lines_from_words(words, DEFAULT_RULES)
    assert [word for line in lines for word in line.words] == words
    assert " ".join(line.text.replace("\n", " ") for line in lines) == TALK
    assert "we shall never surrender.\nDr. Smith came at 3." in [line.text for line in lines]
    for line in lines:
        assert all(visible_length(row) <= 42 for row in line.text.split("\n"))
        last = line.words[-1].text
        assert last[-1] in ".?!,;:" or same_word(last) not in LEANING, line.text


def test_every_sentence_of_its_own_length_is_its_own_line() -> None:
    sentences = ["This sentence fills a row of the picture.", "So does this other one that follows it."] * 3
    lines = lines_from_words(spoken(" ".join(sentences), sentence_pause_ms=700), DEFAULT_RULES)
    assert [line.text for line in lines] == sentences


def test_words_without_any_sign_are_cut_at_pauses() -> None:
    first = spoken("and so he went down to the old harbour")
    second = spoken("where nobody had been since the summer", start_ms=first[-1].end_ms + 600)
    lines = lines_from_words(first + second, DEFAULT_RULES)
    assert [line.text for line in lines] == [
        "and so he went down to the old harbour",
        "where nobody had been since the summer",
    ]


def test_a_long_pause_always_ends_a_line() -> None:
    words = spoken("Well,")
    words += spoken("yes.", start_ms=words[-1].end_ms + DEFAULT_RULES.pause_ms)
    assert [line.text for line in lines_from_words(words, DEFAULT_RULES)] == ["Well,", "yes."]


def test_short_lines_stay_long_enough_to_be_read_where_there_is_room() -> None:
    words = [CaptionWord(0, 200, "Yes.", Origin.ASR, 0.9), CaptionWord(5_000, 5_200, "No.", Origin.ASR, 0.9)]
    words.append(CaptionWord(6_250, 6_400, "Maybe.", Origin.ASR, 0.9))
    times = [(line.start_ms, line.end_ms) for line in lines_from_words(words, DEFAULT_RULES)]
    assert times == [(0, 1_000), (5_000, 6_000), (6_250, 7_250)]


def test_gap_is_kept_before_the_next_line() -> None:
    words = [CaptionWord(0, 900, "Yes.", Origin.ASR, 0.9), CaptionWord(900, 2_000, "No.", Origin.ASR, 0.9)]
    lines = lines_from_words(words, replace(DEFAULT_RULES, max_row=4, max_rows=1))
    assert [(line.start_ms, line.end_ms) for line in lines] == [(0, 800), (900, 2_000)]
    assert [word.end_ms for line in lines for word in line.words] == [900, 2_000]


def test_rows_are_balanced_and_do_not_end_with_an_article() -> None:
    rows = wrap(word_units("He put the book back on the shelf in the corner."), 42, 2)
    assert rows == ["He put the book back", "on the shelf in the corner."]
    assert wrap(word_units("three short words"), 42, 2) == ["three short words"]
    assert wrap(["x" * 30, "y" * 30, "z" * 30], 42, 2) is None
    assert wrap(["x" * 60], 42, 2) == ["x" * 60]


@pytest.mark.parametrize(
    ("word", "following", "kind"),
    [
        ("end.", "Then", Break.SENTENCE),
        ("end?”", "Then", Break.SENTENCE),
        ("Dr.", "Smith", Break.PLAIN),
        ("3.", "maí", Break.PLAIN),
        ("J.", "Smith", Break.PLAIN),
        ("well,", "then", Break.CLAUSE),
        ("the", "house", Break.LEANING),
        ("til", "Reykjavíkur", Break.LEANING),
        ("house", "was", Break.PLAIN),
        ("last", None, Break.SENTENCE),
    ],
)
def test_kinds_of_break(word: str, following: str | None, kind: Break) -> None:
    assert break_after(word, following) is kind


def test_scripts_without_spaces_are_joined_without_them() -> None:
    words = [
        CaptionWord(i * 200, i * 200 + 200, text, Origin.ASR, 0.9)
        for i, text in enumerate(["今日", "は", "いい", "天気", "です。"])
    ]
    assert [line.text for line in lines_from_words(words, DEFAULT_RULES)] == ["今日はいい天気です。"]


def test_doubts_follow_their_words_and_segments_without_words_get_spread_ones() -> None:
    sure = Segment(0, 1_000, "It is fine.", (Word(0, 400, "It", 0.9), Word(400, 1_000, "is fine.", 0.8)), "en")
    doubtful = Segment(9_000, 10_000, "thanks thanks", (), "en", ("loop",))
    lines = lines_from_segments([sure, doubtful], DEFAULT_RULES)
    assert [(line.text, line.doubts) for line in lines] == [("It is fine.", ()), ("thanks thanks", ("loop",))]
    assert [word.confidence for word in lines[1].words] == [None, None]


@st.composite
def words(draw: st.DrawFn) -> list[CaptionWord]:
    clock = 0
    spoken = []
    for gap, length, text in draw(
        st.lists(
            st.tuples(
                st.sampled_from([0, 0, 0, 20, 300, 1_500]),
                st.integers(120, 900),
                st.sampled_from(["the", "a", "house", "end.", "clause,", "extraordinary", "við", "I", "x" * 42]),
            ),
            max_size=60,
        )
    ):
        spoken.append(CaptionWord(clock + gap, clock + gap + length, text, Origin.ASR, 0.5))
        clock += gap + length
    return spoken


@pytest.mark.long
@settings(max_examples=150)
@given(words())
def test_rules_hold_for_any_words(spoken: list[CaptionWord]) -> None:
    lines = lines_from_words(spoken, DEFAULT_RULES)
    assert [word for line in lines for word in line.words] == spoken
    for line in lines:
        rows = line.text.split("\n")
        assert len(rows) <= 2
        assert all(len(row) <= 42 for row in rows)
        assert without_space(line.text) == "".join(word.text for word in line.words)
        assert 0 < line.duration_ms <= 7_000
        assert line.start_ms == line.words[0].start_ms
        assert not any(b.start_ms - a.end_ms >= DEFAULT_RULES.pause_ms for a, b in pairwise(line.words))
    assert all(right.start_ms - left.end_ms >= 100 for left, right in pairwise(lines))


def test_no_line_holds_two_speakers() -> None:
    texts = ["Shall", "we", "go?", "Yes,", "now.", "Good."]
    speakers = ["S1", "S1", "S1", "S2", "S2", "S1"]
    spoken = [
        CaptionWord(i * 300, i * 300 + 280, text, Origin.ASR, 0.9, speaker)
        for i, (text, speaker) in enumerate(zip(texts, speakers, strict=True))
    ]
    lines = lines_from_words(spoken, DEFAULT_RULES)
    assert [(line.speaker, line.text) for line in lines] == [
        ("S1", "Shall we go?"),
        ("S2", "Yes, now."),
        ("S1", "Good."),
    ]
    assert all(word.speaker is None for line in lines for word in line.words), "a word's speaker is its line's"
