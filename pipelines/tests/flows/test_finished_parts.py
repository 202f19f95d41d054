"""What an earlier attempt finished is taken only for exactly the same work."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipelines.ai_text.sections import Section
from pipelines.flows.minutes import note_taking
from pipelines.flows.speakers import pieces
from pipelines.flows.speakers.pieces import DiarizedPiece
from pipelines.messages.attempt import Attempt
from pipelines.messages.minutes import SectionNotes
from serve.tasks.text.choice import extractive_info

INFO = extractive_info("Test.")
PIECE = DiarizedPiece(index=3, start_ms=30_000, end_ms=40_000, model="sherpa a", likeness=0.5, windows=())
SPAN = pieces._Span(3, 30_000, 40_000)


def attempt(key: str, chunk: dict[str, Any]) -> Attempt:
    return Attempt("job", 1, Path("unused"), "unused", {key: chunk})


@pytest.mark.parametrize(
    ("span", "model", "is_taken"),
    [
        (SPAN, "sherpa a", True),
        (SPAN, "sherpa b", False),
        (replace(SPAN, start_ms=30_010), "sherpa a", False),
        (replace(SPAN, end_ms=40_010), "sherpa a", False),
        (replace(SPAN, index=4), "sherpa a", False),
    ],
)
def test_a_piece_of_sound(span: pieces._Span, model: str, is_taken: bool) -> None:
    before = attempt(pieces._key(SPAN), PIECE.to_json())
    assert pieces._finished_before(span, before, model) == (PIECE if is_taken else None)


def test_a_piece_of_sound_of_an_earlier_version() -> None:
    assert pieces._finished_before(SPAN, attempt(pieces._key(SPAN), {"index": 3, "turns": []}), "sherpa a") is None


def test_a_section_of_minutes() -> None:
    section = Section(first=0, end=40, core=0)
    notes = SectionNotes(index=0, claims=(), dropped=0)
    before = attempt(note_taking._key(section, INFO), notes.to_json())
    assert note_taking._finished_before(section, before, INFO) == notes
    assert note_taking._finished_before(section, before, replace(INFO, engine="another")) is None
    for other in (replace(section, first=1), replace(section, end=41)):
        assert note_taking._finished_before(other, before, INFO) is None
    odd = attempt(note_taking._key(section, INFO), {"claims": "of an earlier version"})
    assert note_taking._finished_before(section, odd, INFO) is None
