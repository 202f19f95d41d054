"""The campaign of live meetings finds what is lost: words, captions, sound, an item; and plans every fault."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.soak.live.faults import OF_SENDERS, Fault, Plan
from benchmarks.soak.live.page import Lost, Page
from benchmarks.soak.live.program import Program, _at_24_khz
from benchmarks.soak.live.talk import Sentence

SAID = [Sentence("Good morning.", bytes(96_000)), Sentence("Let us begin.", bytes(96_000))]
TEXT = "Good morning. Let us begin."


class Kept:
    """A person whose installation has kept what is given."""

    def __init__(self, words: list[str], text: str, sound: bytes) -> None:
        self.words, self.said, self.bytes = words, text, sound

    def call(self, method: str, path: str, **more: Any) -> Any:
        return {"data": {"slug": "talk"}}

    def kept(self, slug: str) -> Any:
        return {"words": [{"text": word} for word in self.words]}

    def text(self, slug: str) -> str:
        return self.said

    def sound(self, slug: str) -> bytes:
        return self.bytes


@pytest.mark.parametrize(
    ("words", "text", "sound", "problem"),
    [
        (["good", "morning", "let"], TEXT, b"ab", None),
        (["good", "mourning"], TEXT, b"ab", "final words have changed"),
        (["good"], TEXT, b"ab", "final words have changed"),
        (["good", "morning"], "Good morning.", b"ab", "said"),
        (["good", "morning"], f"{TEXT} Let us begin.", b"ab", "said"),
        (["good", "morning"], TEXT, b"a", "its sound"),
    ],
)
def test_what_a_page_lost_is_found(words: list[str], text: str, sound: bytes, problem: str | None) -> None:
    page = Page(Kept(words, text, sound), Plan(1, 1))  # type: ignore[arg-type]
    page._words, page._sent = ["good", "morning"], [b"a", b"b"]
    if problem is None:
        page.check(SAID)
    else:
        with pytest.raises(Lost, match=problem):
            page.check(SAID)


@pytest.mark.parametrize("items", [["Good morning."], ["Good morning.", "Let us begin.", "Let us begin."]])
def test_what_a_program_was_not_told_or_told_twice_is_found(items: list[str]) -> None:
    program = Program(Kept([], TEXT, b""), "http://127.0.0.1", "", Plan(1, 1))  # type: ignore[arg-type]
    program._items = items
    with pytest.raises(Lost, match="told"):
        program.check(SAID)
    program._items = ["Good morning.", "Let us begin."]
    program.check(SAID)


def test_a_plan_has_every_fault() -> None:
    plan = Plan(200, 1)
    senders = []
    while (fault := plan.next_of_sender()) is not None:
        senders.append(fault)
    assert len(senders) + len(plan.of_installation) == 200
    assert {*senders, *plan.of_installation} == set(Fault)
    assert set(senders) == set(OF_SENDERS)


def test_the_program_sends_as_much_sound_as_was_said() -> None:
    assert len(_at_24_khz(bytes(6_400))) == 9_600


def test_a_meeting_that_is_stopped_ends_with_the_last_sentence_that_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = Plan(1, 1)
    page = Page(Kept([], "", b""), plan)  # type: ignore[arg-type]
    monkeypatch.setattr(page, "_say", lambda _pcm: None)
    monkeypatch.setattr(page, "_read", lambda: None)
    faults = iter([None, None, Fault.STOP_AT_ONCE])
    monkeypatch.setattr(plan, "next_of_sender", lambda: next(faults))
    meeting = [SAID[0], SAID[1], SAID[0], SAID[1]]
    page.hold(meeting)
    assert meeting == [SAID[0], SAID[1], SAID[0]]
