"""Sentence groups: which cues are translated together, and what of them is sent to a model."""

from __future__ import annotations

import pytest

from pipelines.messages.translate import SourceLine
from pipelines.testing.wordwise import source_lines
from pipelines.translation.groups import PASSAGE_CHARS_MAX, SentenceGroup, sentence_groups


def ids(groups: list[SentenceGroup]) -> list[str]:
    return ["".join(group.source_ids) for group in groups]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["When I came home,", "the door was open."], ["ab"]),
        (["The door was open.", "I came home."], ["a", "b"]),
        (["This was Dr.", "Smith from London."], ["ab"]),
        (["He was born on 3.", "maí in Reykjavík."], ["ab"]),
        (["I wanted to...", "to say something."], ["ab"]),
        (["Is it you?", "yes it is"], ["a", "b"]),
        (["one", "two", "three", "four"], ["abc", "d"]),
        (["これは本です。", "あなたは"], ["a", "b"]),
        (["هل أنت هنا؟", "نعم"], ["a", "b"]),
        (["यह एक किताब है।", "हाँ"], ["a", "b"]),
        (["Anna| I think", "Jón| so do I"], ["a", "b"]),
        (["I think", "- So do I"], ["a", "b"]),
        (["I think", "ANNA: So do I"], ["a", "b"]),
        (["We went", "[applause]", "home"], ["a", "b", "c"]),
        (["We went", "♪ la la ♪", "home"], ["a", "b", "c"]),
        (["We went", "", "home"], ["a", "b", "c"]),
        (["We went", "...", "home"], ["a", "b", "c"]),
        (["We went", "- Hi!\n- Hello.", "home"], ["a", "b", "c"]),
    ],
)
def test_cues_of_one_sentence_form_a_group(texts: list[str], expected: list[str]) -> None:
    assert ids(sentence_groups(source_lines(*texts))) == expected


def test_a_pause_ends_a_group() -> None:
    assert ids(sentence_groups(source_lines("one", "two", gap_ms=1_500))) == ["ab"]
    assert ids(sentence_groups(source_lines("one", "two", gap_ms=1_501))) == ["a", "b"]


def test_lines_that_are_not_wanted_end_a_group() -> None:
    assert ids(sentence_groups(source_lines("one", "two", "three", "four"), ("a", "c", "d"))) == ["a", "cd"]


def test_a_cue_of_two_rows_is_one_row_of_the_passage() -> None:
    (group,) = sentence_groups(source_lines("When I came\nhome,", "the door\nwas open."))
    assert group.parts[0].marked.text == "When I came home, the door was open."
    assert group.cue_texts == ("When I came home,", "the door was open.")


@pytest.mark.parametrize(
    ("text", "sent", "before", "after"),
    [
        ("[applause]", "applause", "[", "]"),
        ("♪ Happy birthday ♪", "Happy birthday", "♪ ", " ♪"),
        ("- Hello", "Hello", "- ", ""),
        ("<i>Hello</i>", "Hello", "<i>", "</i>"),
        ("ANNA: Hello", "Hello", "ANNA: ", ""),
        ("Note: this works", "Note: this works", "", ""),
        ("-5 degrees", "-5 degrees", "", ""),
        ("Say <i>this</i> now", "Say <i>this</i> now", "", ""),
        ("♪", "", "♪", ""),
        ("12:30", "", "12:30", ""),
    ],
)
def test_marks_around_the_words_are_not_sent(text: str, sent: str, before: str, after: str) -> None:
    (group,) = sentence_groups(source_lines(text))
    (part,) = group.parts
    assert (part.marked.text, part.marked.before, part.marked.after) == (sent, before, after)
    assert part.marked.around(part.marked.text) == text


def test_a_speaker_of_the_file_is_a_label() -> None:
    groups = sentence_groups(source_lines("Anna| Hello.", "Anna: I am here."))
    assert groups[1].parts[0].marked.text == "I am here."


def test_the_turns_of_a_dialogue_are_sent_one_by_one() -> None:
    (group,) = sentence_groups(source_lines("- Are you\nthere?\n- Yes."))
    assert [(part.marked.text, part.new_row) for part in group.parts] == [("Are you there?", False), ("Yes.", True)]


def test_a_very_long_cue_is_sent_in_sentences() -> None:
    text = "This is a sentence of some length. " * 28
    (group,) = sentence_groups([SourceLine(id="a", start_ms=0, end_ms=60_000, text=text.strip())])
    assert len(group.parts) > 1
    assert all(len(part.marked.text) <= PASSAGE_CHARS_MAX for part in group.parts)
    assert " ".join(part.marked.text for part in group.parts) == text.strip()
