"""The models and token counts that the batching benchmark relies on."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks.goals.batching.bare import Bare, Threads
from benchmarks.goals.batching.ours import text_tokens
from benchmarks.goals.batching.short_clips import windows_of
from benchmarks.goals.batching.tokens import Counted, UnequalWork
from serve.tasks.transcription.doubts import is_hopeless
from serve.tasks.transcription.messages import WindowResult
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.random_whisper import SMALLEST, babbler, reciter
from serve.testing.sound import not_speech, short_clips, spoken_clips

TOKENS = 18


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("random")


def engine_of(model: Path) -> WhisperEngine:
    return WhisperEngine(model, name="random", reason="Test.", device="cpu", compute_type="int8")


def test_both_sides_hear_equally_many_tokens_from_a_reciter_and_the_guard_believes_it(folder: Path) -> None:
    model = reciter(SMALLEST, TOKENS, folder)
    sounds = short_clips(spoken_clips(folder / "clips"), 5)
    bare = Bare(model, Threads(1, 1))
    outcomes = engine_of(model).run(windows_of(sounds))
    results = [outcome for outcome in outcomes if isinstance(outcome, WindowResult)]
    # The first token of each text is a timestamp.
    assert text_tokens(bare.model.hf_tokenizer, results) == len(sounds) * (TOKENS - 1)
    assert bare.one_by_one(sounds) == len(sounds) * (TOKENS - 1)
    assert bare.long_file(sounds[0], [(0, 3_000)], batch=2) == TOKENS - 1
    assert not [segment.doubts for result in results for segment in result.segments if segment.doubts]


@pytest.mark.long
def test_a_babbler_says_something_to_everything(folder: Path) -> None:
    engine = engine_of(babbler(SMALLEST, folder))
    sounds = dict(not_speech(3.0))
    silence = sounds.pop("silence")
    for outcome in engine.run(windows_of(list(sounds.values()))):
        assert isinstance(outcome, WindowResult)
        assert outcome.segments
        assert all(is_hopeless(segment.doubts) for segment in outcome.segments)
    (nothing,) = engine.run(windows_of([silence]))
    assert isinstance(nothing, WindowResult)
    assert nothing.segments == ()


@pytest.mark.long
def test_a_model_is_made_once(folder: Path) -> None:
    made = reciter(SMALLEST, TOKENS, folder)
    before = (made / "model.bin").stat().st_mtime_ns
    assert (reciter(SMALLEST, TOKENS, folder) / "model.bin").stat().st_mtime_ns == before
    with pytest.raises(ValueError, match="not 1"):
        reciter(SMALLEST, 1, folder)


def test_a_result_over_unequal_work_is_refused() -> None:
    counted = Counted()
    counted.ours, counted.theirs = 1000, 981
    assert counted.check() == {"our_tokens": 1000, "their_tokens": 981}
    counted.theirs = 979
    with pytest.raises(UnequalWork):
        counted.check()


def test_an_unknown_goal_is_refused() -> None:
    import typer

    from benchmarks.goals.batching.command import command

    app = typer.Typer()
    app.command()(command)
    answer = CliRunner().invoke(app, ["--goal", "99"])
    assert answer.exit_code == 2
    assert "99" in answer.output
