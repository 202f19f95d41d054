"""Our diarization error rate is that of pyannote.metrics, in the environment that has it."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from pipelines.messages.speakers import Turn
from serve.testing.speaker_errors import Spoken, diarization_errors, jaccard_errors

pytestmark = pytest.mark.gpu_env


def annotation(turns: Sequence[Spoken]) -> object:
    from pyannote.core import Annotation, Segment

    made = Annotation()
    for number, turn in enumerate(turns):
        made[Segment(turn.start_ms / 1000, turn.end_ms / 1000), number] = turn.speaker
    return made


def some_turns(dice: random.Random, names: Sequence[str], length_ms: int) -> list[Turn]:
    """Turns of which those of one speaker never overlap, as in both tools' inputs."""
    turns = []
    for name in names:
        at = dice.randrange(0, 3_000)
        while at < length_ms:
            end = min(length_ms, at + dice.randrange(300, 5_000))
            turns.append(Turn(start_ms=at, end_ms=end, speaker=name))
            at = end + dice.randrange(200, 6_000)
    return sorted(turns, key=lambda turn: turn.start_ms)


@pytest.mark.parametrize("seed", range(12))
def test_both_rates_agree_on_speech_of_several_at_once(seed: int) -> None:
    from pyannote.core import Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate, JaccardErrorRate

    dice = random.Random(seed)
    length_ms = 60_000
    real = some_turns(dice, ("ann", "ben", "carl"), length_ms)
    found = some_turns(dice, ("S1", "S2", "S3", "S4")[: dice.randrange(1, 5)], length_ms)
    whole = Timeline([Segment(0, max(turn.end_ms for turn in (*real, *found)) / 1000)])
    for collar_ms in (0, 250):
        # Theirs is the length of the whole collar, half of which lies on each side.
        theirs = DiarizationErrorRate(collar=2 * collar_ms / 1000)(annotation(real), annotation(found), uem=whole)
        assert diarization_errors(real, found, collar_ms=collar_ms).rate == pytest.approx(theirs, abs=1e-6)
    total, speakers = jaccard_errors(real, found)
    theirs = JaccardErrorRate()(annotation(real), annotation(found), uem=whole)
    # DIHARD pairs speakers by the least error; pyannote by the most time in common, which is never less.
    assert total / speakers <= theirs + 1e-6
