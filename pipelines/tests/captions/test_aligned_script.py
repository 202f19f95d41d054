"""A script and what was heard: every spoken word gets its time, and what nobody spoke is named."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pipelines.captions.reading.cues import with_words
from pipelines.captions.script.matching import Match, match
from pipelines.captions.script.script import Script
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionLine, CaptionWord, WordStyle

WORD_MS = 400


def heard(text: str, start_ms: int = 1_000) -> list[CaptionWord]:
    """Words of 300 ms with 100 ms between them; `|` is a second of silence."""
    words: list[CaptionWord] = []
    for word in text.split():
        if word == "|":
            start_ms += 1_000
            continue
        words.append(CaptionWord(start_ms, start_ms + 300, word, confidence=0.8))
        start_ms += WORD_MS
    return words


def matched(script: str, sound: str) -> Match:
    return match(Script.of_text(script).words, heard(sound))


def placed(found: Match) -> list[tuple[str, int]]:
    return [(found.words[index].text, found.words[index].start_ms) for index in sorted(found.words)]


def test_signs_and_capitals_are_the_script_s_and_times_are_the_sound_s() -> None:
    found = matched("Good day! We are HERE.", "good day we are here")
    assert placed(found) == [("Good", 1000), ("day!", 1400), ("We", 1800), ("are", 2200), ("HERE.", 2600)]
    assert (found.same, found.unspoken) == (5, ())
    assert all(word.confidence == 1.0 for word in found.words.values())


def test_words_that_were_heard_otherwise_share_their_room_and_are_estimates() -> None:
    found = matched("We met Bragi Jónsson in town", "we met braggy yon son in town")
    estimates = [found.words[index] for index in (2, 3)]
    assert [word.confidence for word in estimates] == [None, None]
    assert (estimates[0].start_ms, estimates[1].end_ms) == (1_800, 2_900)
    assert found.words[4].start_ms == 3_000


@pytest.mark.parametrize(
    ("script", "sound", "unspoken"),
    [
        ("# Title page\n\nGood day to all of you", "good day to all of you", ("# Title page",)),
        ("# Notes for the reader\n\nThe day is long", "the day is long", ("# Notes for the reader",)),
        ("Good day to you. The end of a very long letter.", "good day to you", ("The end of a very long letter.",)),
        (
            "Good day. A whole paragraph that somebody cut out of the film later. To all of you.",
            "good day to all of you",
            ("A whole paragraph that somebody cut out of the film later.",),
        ),
        (
            "Good day to all. But nobody ever spoke a word of it and nobody will.",
            "good day to all | we give many people music and with the sound off",
            ("But nobody ever spoke a word of it and nobody will.",),
        ),
    ],
)
def test_what_nobody_speaks_has_no_place(script: str, sound: str, unspoken: tuple[str, ...]) -> None:
    found = matched(script, sound)
    assert found.unspoken == unspoken
    assert found.same == len(found.words)


def test_a_few_words_far_from_all_others_are_chance_and_near_ones_are_not() -> None:
    far = matched("Good day to all of you. Nobody ever said it.", "good day to all of you we have more to say about it")
    assert far.unspoken == ("Nobody ever said it.",)
    near = matched(
        "Good day. The first of the passages to cut. Dear friends. The other passage that was cut. Of mine we go.",
        "good day dear friends of mine we go",
    )
    assert [text for text, _ in placed(near)] == ["Good", "day.", "Dear", "friends.", "Of", "mine", "we", "go."]


def test_a_long_word_in_the_place_of_a_short_one_is_kept() -> None:
    assert (
        placed(matched("We talk about internationalisation", "we talk about nation"))[-1][0] == "internationalisation"
    )


def test_a_word_that_was_missed_stands_in_the_gap() -> None:
    found = matched("This is the film of mine", "this is | film of mine")
    assert (found.words[2].text, found.words[2].confidence) == ("the", None)
    assert 1_700 <= found.words[2].start_ms <= found.words[2].end_ms <= 2_800


def test_another_script_has_hardly_a_word_in_common() -> None:
    assert matched("Wizards juggle quickly before the dawn", "we are here to talk about the film").same <= 1
    assert match((), heard("word")).words == {}
    assert match(("word",), []).unspoken == ("word",)


def test_scripts_without_spaces_are_matched_by_character() -> None:
    found = match(Script.of_text("今日は良い天気").words, [CaptionWord(1_000, 2_400, "今日は悪い天気", confidence=0.9)])
    assert (found.same, len(found.words)) == (6, 7)
    assert [one.start_ms <= two.start_ms for one, two in pairwise(found.words[at] for at in range(7))] == [True] * 6


def test_captions_keep_their_text_and_styles_and_get_the_times_of_the_sound() -> None:
    italic = CaptionWord(0, 1, "day", styles=frozenset({WordStyle.ITALIC}))
    captions = [
        CaptionLine("a", 0, 10, "Good\nday", (CaptionWord(0, 1, "Good"), italic)),
        CaptionLine("b", 10, 20, "not a word of this is spoken anywhere"),
        CaptionLine("c", 20, 30, "to all of you"),
    ]
    script = Script.of_captions(captions)
    found = match(script.words, heard("good day | to all of you"))
    lines = script.lines(found.words, DEFAULT_RULES, "en-US")
    assert [(line.id, line.text, line.start_ms) for line in lines] == [
        ("a", "Good\nday", 1_000),
        ("c", "to all of you", 2_800),
    ]
    assert lines[0].words[1].styles == italic.styles
    assert [word.start_ms for word in with_words(lines[1]).words] == [2_800, 3_200, 3_600, 4_000]
