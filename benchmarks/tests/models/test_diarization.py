"""Speakers: words at the wrong speaker, and a real run with the tiny models on made conversations."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer

from benchmarks.measure.datasets.folder import AudioItem
from benchmarks.measure.datasets.references import ReferenceLine, ReferenceTurn
from benchmarks.measure.models.diarization.command import command
from benchmarks.measure.models.diarization.scores import judge, word_errors
from benchmarks.measure.outcomes.outcome import read_outcome
from benchmarks.measure.outcomes.scoring import value
from pipelines.messages.speakers import Turn

LINES = (
    ReferenceLine(0, 2_000, "one two three four", "anna"),
    ReferenceLine(2_500, 4_500, "five six seven eight", "jon"),
)
TURNS = (ReferenceTurn(0, 2_000, "anna"), ReferenceTurn(2_500, 4_500, "jon"))


def _turn(start_ms: int, end_ms: int, speaker: str) -> Turn:
    return Turn(start_ms=start_ms, end_ms=end_ms, speaker=speaker)


def test_words_of_the_wrong_speaker_count_twice_as_edits() -> None:
    right = [_turn(0, 2_000, "S1"), _turn(2_500, 4_500, "S2")]
    assert word_errors(LINES, right, "en") == (0, 8)
    # All words go to one speaker: four are added to one, and four are missing at the other.
    assert word_errors(LINES, [_turn(0, 4_500, "S1")], "en") == (8, 8)


def test_scores_of_a_file() -> None:
    item = AudioItem("a", Path("a.wav"), turns=TURNS, lines=LINES, language="en")
    values: dict[str, object] = dict(
        judge(item, [_turn(0, 2_000, "S1"), _turn(2_500, 4_000, "S2"), _turn(4_600, 4_700, "S3")])
    )
    assert values["der"] == (600, 4_000)
    assert values["missed"] == (500, 4_000)
    assert values["false_alarm"] == (100, 4_000)
    assert values["count"] == (1, 1)
    assert values["jer"] == (pytest.approx(0.25), 2)


@pytest.mark.long
def test_a_run_on_made_conversations(tmp_path: Path) -> None:
    out = tmp_path / "speakers.json"
    command(made=True, sentences=6, each=1, given=False, out=out)
    outcome = read_outcome(out)
    (run,) = outcome.systems
    assert run.engine == "sherpa"
    assert {item.problem for item in run.items} == {""}
    assert len(outcome.data.conditions) == 5
    error = value(outcome.metrics[0], run.items)
    assert error is not None
    assert error < 20
    assert {"jer", "cpwer", "speed"} <= {metric.key for metric in outcome.metrics}
    assert "Diarization error rate" in out.with_suffix(".html").read_text()


def test_a_folder_without_speakers_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        command(tmp_path)
    assert "an .rttm file that says who speaks when" in capsys.readouterr().err


@pytest.mark.gpu_env
def test_our_error_rate_is_pyannotes_over_the_scored_stretches() -> None:
    turns = [_turn(0, 2_100, "S1"), _turn(1_900, 4_000, "S2"), _turn(4_600, 4_700, "S3")]
    for scored in (None, ((500, 4_400),)):
        item = AudioItem("a", Path("a.wav"), turns=TURNS, lines=LINES, language="en", scored=scored)
        values = judge(item, turns)
        assert values["der_pyannote"] == pytest.approx(values["der"], abs=1)
