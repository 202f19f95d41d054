"""Dashes of two speakers in one line: made by a merge, dropped by a split."""

from __future__ import annotations

import pytest

from pipelines.captions.edits import edit
from pipelines.captions.texts.dialogue import without_dashes
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin


def line(name: str, text: str, start_ms: int, speaker: str) -> CaptionLine:
    words = tuple(
        CaptionWord(start_ms + 500 * at, start_ms + 500 * at + 400, word, Origin.ASR, 0.9)
        for at, word in enumerate(text.split())
    )
    return CaptionLine(name, start_ms, words[-1].end_ms, text, words, (), speaker)


HELLO, YES = line("a", "Is it far?", 0, "S1"), line("b", "Not at all.", 2_000, "S2")


@pytest.mark.parametrize("mark", ["-", "- ", "– "])
def test_a_dialogue_and_its_split_keep_every_word_and_who_spoke_it(mark: str) -> None:
    (both,) = edit.merge([HELLO, YES], "a", mark=mark).after
    assert both.text == f"{mark}Is it far?\n{mark}Not at all."
    at = both.text.index("\n") + 1
    left, right = edit.split_at([both], "a", at, new_id="n", rules=DEFAULT_RULES).after
    assert (left.text, right.text, right.start_ms) == ("Is it far?", "Not at all.", YES.start_ms)
    assert (left.speaker, right.speaker) == ("S1", "S2")
    for part, old in ((left, HELLO), (right, YES)):
        assert [(word.text, word.start_ms) for word in part.words] == [(word.text, word.start_ms) for word in old.words]


def test_a_merge_leaves_dashes_alone_that_are_there() -> None:
    (both,) = edit.merge([line("a", "- Is it?", 0, "S1"), YES], "a", mark="- ").after
    assert both.text == "- Is it? Not at all."


@pytest.mark.parametrize(
    ("left", "right", "parts"),
    [
        ("- Hi.\n", "- Hello.", ("Hi.", "Hello.")),
        ("- Hi.", "\n- Hello.", ("Hi.", "Hello.")),
        ("Hi.\n", "-Hello.", ("Hi.", "Hello.")),
        ("- Hi. ", "- Hello.", ("Hi.", "Hello.")),
        ("- Hi.\n- ", "Hello.", ("Hi.", "Hello.")),
        ("-Hi. -", "Hello.", ("Hi.", "Hello.")),
        ("It is - ", "I said - far.", ("It is -", "I said - far.")),
        ("- Hi.\nSo?\n", "- Hello.", ("Hi.\nSo?", "Hello.")),
        # Inside what one of them says, and where both parts still hold two speakers, the dashes stay.
        ("- Hi ", "there.\n- Hello.", ("- Hi", "there.\n- Hello.")),
        ("- Hi.\n- Hello.\n", "- So?\n- Well.", ("- Hi.\n- Hello.", "- So?\n- Well.")),
        ("It is ", "- as I said - far.", ("It is", "- as I said - far.")),
        ("Wait\n", "--what?", ("Wait", "--what?")),
        # A word that was broken at its hyphen.
        ("It is x\n", "-ray, Ada.", ("It is x", "-ray, Ada.")),
        ("-ray it is,\n", "- Ada.", ("-ray it is,", "Ada.")),
    ],
)
def test_dashes_go_where_a_speaker_is_left_alone(left: str, right: str, parts: tuple[str, str]) -> None:
    text, at = without_dashes(left + right, len(left))
    assert (text[:at].strip(), text[at:].strip()) == parts
