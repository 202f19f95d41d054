from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipelines.captions.edits.speaker_lines import labels_kept
from pipelines.captions.spans import near
from pipelines.messages.lines import CaptionLine
from pipelines.messages.speakers import Turn

TURNS = st.lists(
    st.builds(
        lambda start, length: Turn(start_ms=start, end_ms=start + length, speaker="S1"), *2 * [st.integers(0, 20)]
    )
).map(lambda turns: sorted(turns, key=lambda turn: turn.start_ms))


@given(TURNS, TURNS, st.integers(0, 3))
def test_each_span_has_those_near_it(ones: list[Turn], others: list[Turn], within_ms: int) -> None:
    expected = [
        [
            other
            for other in others
            if other.start_ms <= one.end_ms + within_ms and other.end_ms >= one.start_ms - within_ms
        ]
        for one in ones
    ]
    assert near(ones, others, within_ms) == expected


def line(start_ms: int, end_ms: int, speaker: str) -> CaptionLine:
    return CaptionLine(speaker, start_ms, end_ms, "Yes.", (), speaker=speaker)


def test_a_voice_does_not_get_the_name_of_a_line_that_ended_before_it() -> None:
    """A sign above the others lasts all the time."""
    before = [line(0, 60_000, "S1"), line(1_000, 9_000, "S2")]
    turns = [Turn(start_ms=10_000, end_ms=40_000, speaker="S1"), Turn(start_ms=50_000, end_ms=59_000, speaker="S2")]
    assert labels_kept(turns, before, ["S1", "S2"]) == {"S1": "S1", "S2": "S3"}
