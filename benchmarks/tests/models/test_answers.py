"""Answers of a stopped run are used by the same command, and by no other."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest

from benchmarks.measure.models.answers import answers_of


def test_a_stopped_run_goes_on_after_its_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "asr", "data"])
    with answers_of("asr", folder=tmp_path) as answers:
        answers.add("small", "one.wav", {"answer": 1, "seconds": 0.5})
        answers.is_stopped = True
    with suppress(MemoryError), answers_of("asr", folder=tmp_path) as answers:
        assert answers.known("small", "one.wav") == {"answer": 1, "seconds": 0.5}
        assert answers.known("large", "one.wav") is None
        answers.add("small", "two.wav", {"problem": "unreadable"})
        raise MemoryError
    with (tmp_path / "asr.unfinished.jsonl").open("a") as file:
        file.write('["small", "thr')
    with answers_of("asr", folder=tmp_path) as answers:
        assert len(answers) == 2
        answers.add("small", "three.wav", {"answer": 3, "seconds": 0.5})
        answers.is_stopped = True
    with answers_of("asr", folder=tmp_path) as answers:
        assert answers.known("small", "three.wav") == {"answer": 3, "seconds": 0.5}
    assert not list(tmp_path.iterdir())


def test_answers_of_another_command_are_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, known in (("data", 0), ("other", 0), ("other", 1)):
        monkeypatch.setattr(sys, "argv", ["benchmarks", "asr", folder])
        with answers_of("asr", folder=tmp_path) as answers:
            assert len(answers) == known
            answers.add("small", "one.wav", {})
            answers.is_stopped = True
