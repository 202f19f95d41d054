"""Sentences, cue words and ranks of the offline engine."""

from __future__ import annotations

import pytest

from serve.tasks.text.cues import Cue, cue
from serve.tasks.text.messages import ClaimKind, SpokenLine
from serve.tasks.text.ranking import best, keywords, rank
from serve.tasks.text.sentences import sentences


def test_sentences_run_over_lines_and_end_inside_them() -> None:
    lines = [
        SpokenLine("Good morning. The new ferry"),
        SpokenLine("costs 3.5 million. Dr. Olsen"),
        SpokenLine("agrees."),
    ]
    assert [(each.text, each.lines) for each in sentences(lines)] == [
        ("Good morning.", (1,)),
        ("The new ferry costs 3.5 million.", (1, 2)),
        ("Dr. Olsen agrees.", (2, 3)),
    ]


def test_another_speaker_ends_a_sentence() -> None:
    lines = [SpokenLine("I think that", "Anna"), SpokenLine("No.", "Jon"), SpokenLine("we should wait.", "Anna")]
    assert [(each.text, each.speaker) for each in sentences(lines)] == [
        ("I think that", "Anna"),
        ("No.", "Jon"),
        ("we should wait.", "Anna"),
    ]


def test_a_transcript_without_punctuation_is_cut_between_lines() -> None:
    lines = [SpokenLine(f"this is line number {number} of the talk") for number in range(10)]
    found = sentences(lines)
    assert len(found) == 5
    assert [number for each in found for number in each.lines] == list(range(1, 11))


def test_scripts_without_spaces_are_joined_without_them() -> None:
    found = sentences([SpokenLine("新しいフェリーは"), SpokenLine("四百人を運びます。港は狭いです。")])
    assert [each.text for each in found] == ["新しいフェリーは四百人を運びます。", "港は狭いです。"]


@pytest.mark.parametrize(
    ("text", "speaker", "language", "expected"),
    [
        ("We decided to wait.", None, "en", Cue(ClaimKind.DECISION)),
        ("Maria will call the yard by Friday.", "Jon", "en", Cue(ClaimKind.ACTION, "Maria", "by Friday")),
        ("I'll send it tomorrow.", "Jon", "en", Cue(ClaimKind.ACTION, "Jon", "tomorrow")),
        ("I'll send it tomorrow.", None, "en", Cue(ClaimKind.ACTION, None, "tomorrow")),
        ("The weather will be nice.", "Jon", "en", Cue(ClaimKind.POINT)),
        ("Will you send it by Friday?", "Jon", "en", Cue(ClaimKind.POINT)),
        ("Við ákváðum að bíða.", None, "is", Cue(ClaimKind.DECISION)),
        ("María ætlar að hringja á morgun.", None, "is", Cue(ClaimKind.ACTION, "María", "á morgun")),
        ("Nous avons décidé d'attendre.", None, "fr", Cue(ClaimKind.POINT)),
    ],
)
def test_cue_words(text: str, speaker: str | None, language: str, expected: Cue) -> None:
    assert cue(text, speaker, language) == expected


def test_central_sentences_come_before_odd_ones_and_repeats_are_left_out() -> None:
    texts = [
        "The ferry needs a new pier in the harbour.",
        "The harbour has no pier for the ferry.",
        "The ferry needs a new pier in the harbour.",
        "Somebody brought cake.",
        "Yes.",
    ]
    weights = rank(texts)
    chosen = best(texts, weights, 2)
    assert 3 not in chosen
    assert 4 not in chosen
    assert len({texts[at] for at in best(texts, weights, 5)}) == len(best(texts, weights, 5))


def test_texts_without_words_are_ranked_too() -> None:
    assert best(["…", "—"], rank(["…", "—"]), 1) == [0]
    assert rank([]) == []
    assert best([], [], 3) == []


def test_keywords_tell_a_paragraph_from_the_others() -> None:
    texts = ["The ferry sails to the island.", "The ferry carries cars.", "The budget grows.", "The budget is debated."]
    assert "budget" in keywords(texts[2:], texts)
    assert "ferry" not in keywords(texts[2:], texts)
