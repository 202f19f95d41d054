"""Cutting captions again by the rules of a profile loses no word and moves none."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from pipelines.captions.edits.edit import apply
from pipelines.captions.lanes import by_lane, first_overlap, in_time
from pipelines.captions.quality.find import find_findings
from pipelines.captions.quality.profile import built_in_profiles
from pipelines.captions.quality.recut import recut
from pipelines.messages.lines import CaptionLine, CaptionWord
from pipelines.testing.captions_to_judge import judged_lines


@pytest.mark.parametrize("profile", ["shorts", "netflix_zh", "bbc_vertical", "default"])
def test_cutting_again_loses_no_word_and_moves_none(profile: str) -> None:
    for seed in range(40):
        lines = [each for each in judged_lines(random.Random(seed)) if each.text.strip()]
        lines = [
            each
            for lane in by_lane(lines)
            for each, after in zip(lane, [*lane[1:], None], strict=True)
            if not _overlaps(each, after)
        ]
        lines.sort(key=in_time)
        rules = built_in_profiles()[profile].rules(25.0)
        names = (f"new-{number}" for number in range(10_000))
        after = apply(lines, recut(lines, rules, "en", names.__next__))
        assert sorted(_words(lines)) == sorted(_words(after)), seed
        assert len({each.id for each in after}) == len(after)
        assert first_overlap(after) is None, seed
        assert all(each.start_ms < each.end_ms for each in after), seed


def _overlaps(line: CaptionLine, after: CaptionLine | None) -> bool:
    return after is not None and after.start_ms < line.end_ms


def _words(lines: Sequence[CaptionLine]) -> list[tuple[int, int, str]]:
    return [(word.start_ms, word.end_ms, word.text) for each in lines for word in each.words]


def test_cutting_again_keeps_text_in_order() -> None:
    text = "It was late when the last train left, and nobody on the platform had seen the man in the grey coat."
    units = text.split()
    words = tuple(CaptionWord(i * 400, i * 400 + 350, unit, confidence=0.9) for i, unit in enumerate(units))
    whole = CaptionLine("a", 0, len(units) * 400, text, words, speaker="S1")
    result = recut([whole], built_in_profiles()["netflix_en"].rules(25.0), "en", iter("bcdef").__next__)
    assert " ".join(each.text.replace("\n", " ") for each in result.after) == text
    assert {each.speaker for each in result.after} == {"S1"}
    assert find_findings(result.after, built_in_profiles()["netflix_en"], language="en", fps=25.0) == []
