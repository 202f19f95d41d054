"""The search for a profile: its rounds, when it refuses to recommend, and a written profile in the product."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import typer
import yaml

from benchmarks.measure.load.estimate import mean
from benchmarks.measure.tune.candidates import Candidate, combinations
from benchmarks.measure.tune.command import seconds_of
from benchmarks.measure.tune.decision import Goal, decide
from benchmarks.measure.tune.evidence import written_profile
from benchmarks.measure.tune.halving import halve, rounds_of
from pipelines.media.sample import SAMPLE
from serve.profile import load_profile
from serve.tasks import NAMES
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.tiny_models.archives import models_folder

BASE = Candidate()
ONE = Candidate((("max_batch", 1), ("workers", 1)))
FOUR = Candidate((("max_batch", 4), ("beam_size", 2)))
LATENCY, SPEED = Goal(rate=5.0, p95_s=2.0), Goal(rate=None)


def test_halving_gives_the_better_half_twice_the_time() -> None:
    rounds = rounds_of(20, 3, 10.0)
    assert [(each.runs, each.seconds, each.keep) for each in rounds] == [(20, 10, 10), (10, 20, 5), (5, 40, 3)]
    assert rounds_of(3, 3, 10.0) == []
    runs: list[tuple[int, float, int]] = []

    def scores(left: Sequence[int], number: int, seconds: float) -> list[float]:
        runs.append((number, seconds, len(left)))
        return [abs(each - 13.4) for each in left]

    assert halve(range(20), rounds, scores) == [13, 14, 12]
    assert runs == [(0, 10, 20), (1, 20, 10), (2, 40, 5)]


def test_the_best_is_recommended_where_its_paired_runs_are_better_than_all_others() -> None:
    # The runs differ more from each other than the combinations do; pairs show it nevertheless.
    decision = decide({BASE: [1.9, 1.1, 1.5], ONE: [1.7, 0.9, 1.31], FOUR: [1.8, 1.01, 1.4]}, Goal(rate=5.0))
    assert decision.recommended == ONE
    assert "batch 1, workers 1" in decision.sentence
    faster = decide({BASE: [10.0, 11.0, 12.0], FOUR: [20.0, 21.1, 22.0]}, SPEED)
    assert faster.recommended == FOUR


@pytest.mark.parametrize(
    ("values", "goal", "words"),
    [
        (
            {BASE: [1.9, 1.9, 1.8], ONE: [1.0, 1.1, 1.2], FOUR: [1.1, 1.0, 1.2]},
            LATENCY,
            "overlaps with “batch 4, beams 2”",
        ),
        ({BASE: [1.0, 1.1, 1.2], ONE: [1.1, 1.0, 1.19]}, LATENCY, "overlaps with “the profile as it is”"),
        ({BASE: [9.0, 9.1, 9.2], ONE: [3.0, 3.1, 3.2]}, LATENCY, "nothing certainly keeps p95 below 2 s"),
        ({BASE: [1.0, 1.1, 1.2], ONE: [3.0, 3.1, 3.2]}, LATENCY, "Keep the profile"),
        ({BASE: [float("inf")] * 3, ONE: [float("inf")] * 3}, LATENCY, "nothing certainly keeps"),
    ],
)
def test_it_refuses_where_the_runs_cannot_tell(values: dict[Candidate, list[float]], goal: Goal, words: str) -> None:
    decision = decide(values, goal)
    assert decision.recommended is None
    assert words in decision.sentence


def test_a_combination_that_does_not_run_does_not_stop_a_recommendation() -> None:
    broken = Candidate((("compute_type", "float16"),))
    values = {BASE: [1.9, 1.9, 1.8], ONE: [1.0, 1.1, 1.2], broken: [float("inf")] * 3}
    assert decide(values, LATENCY).recommended == ONE


def test_the_mean_of_runs_has_students_interval() -> None:
    estimate = mean([1.0, 2.0, 3.0])
    assert estimate.value == 2
    assert estimate.high - 2 == pytest.approx(4.30 / 3**0.5)
    assert mean([1.0]).high == float("inf")


def test_combinations_begin_with_the_profile_and_leave_out_what_it_is() -> None:
    profile = load_profile("cpu").require(TranscriptionProfile)
    found = combinations(profile, {"max_batch": [8, 16], "batch_wait_ms": [20]})
    assert [each.name for each in found] == ["the profile as it is", "batch 16, wait 20"]
    # Threads beyond the cores only take turns.
    assert len(combinations(profile, {"workers": [1], "threads": [10_000]})) == 1


def test_times_are_read_with_their_unit() -> None:
    assert [seconds_of(text) for text in ("2s", "800ms", "1.5", " 3 S ")] == [2.0, 0.8, 1.5, 3.0]
    for text in ("fast", "-1s", "0"):
        with pytest.raises(typer.BadParameter, match="no length of time"):
            seconds_of(text)


@pytest.mark.long
def test_the_product_starts_with_a_written_profile(tmp_path: Path) -> None:
    decision = decide({BASE: [1.9, 1.9, 1.8], FOUR: [1.0, 1.1, 1.2]}, LATENCY)
    written = tmp_path / "tuned.yaml"
    written.write_text(written_profile("cpu", decision, tmp_path / "tuned.evidence.json", "tiny"))
    assert "tuned.evidence.json" in written.read_text().split("transcription:")[0]
    profile = load_profile(str(written))
    section = profile.require(TranscriptionProfile)
    assert (section.max_batch, section.beam_size) == (4, 2)
    before, after = load_profile("cpu").model_dump(), profile.model_dump()
    assert after | {"name": "cpu", "transcription": before["transcription"]} == before
    assert yaml.safe_load(written.read_text()).keys() == set(NAMES)
    talk = tmp_path / "talk.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-i", SAMPLE, "-t", "4", "-c", "copy", talk], check=True)
    settings = {
        "SAGASCRIPT_PROFILE": str(written),
        "SAGASCRIPT_MODELS_DIR": str(models_folder(tmp_path / "models")),
        "SAGASCRIPT_DATA_DIR": str(tmp_path / "data"),
        "SAGASCRIPT_ALLOW_HUB": "false",
    }
    command = [sys.executable, "-m", "api.main", "transcribe", str(talk), "--output", "-", "--format", "txt"]
    run = subprocess.run(
        command, env={**os.environ, **settings}, capture_output=True, text=True, check=False, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert len(run.stdout.split()) > 3
