"""The short form of `python -m benchmarks long-file`: memory that does not grow, and a killed worker's windows."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.goals.long_file import run
from benchmarks.goals.long_file.saving import seconds_to_save
from benchmarks.goals.long_file.sound import BLOCK_S, looped
from serve.testing.tiny_models.archives import models_folder

SHORT_S, LONG_S = 300, 1200
GROWTH_MB = 40
"""A quarter of an hour as one array of float32 would be 57 MB, and features of it as much again."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long")
    models_folder(folder / "models")
    return folder


@pytest.mark.long
def test_memory_does_not_grow_with_the_length_of_a_file(folder: Path) -> None:
    warm = looped(folder / "sound", BLOCK_S)
    short, long = (
        run.whole(looped(folder / "sound", seconds), warm, folder / "models", folder / str(seconds))
        for seconds in (SHORT_S, LONG_S)
    )
    assert (short.windows, long.windows) == (30, 100)
    assert long.ingest_mb - short.ingest_mb < GROWTH_MB
    assert long.transcribe_mb - short.transcribe_mb < GROWTH_MB
    assert long.largest_message_bytes < 100_000
    assert long.result_bytes < 1_000 * long.lines


@pytest.mark.long
def test_after_kill_9_only_windows_in_flight_are_done_again(folder: Path) -> None:
    warm = looped(folder / "sound", BLOCK_S)
    file = looped(folder / "sound", SHORT_S)
    resumed = run.killed_and_resumed(file, warm, folder / "models", folder / "killed", share=0.4)
    assert resumed.windows == 30
    assert resumed.kept >= 12
    assert resumed.asked == resumed.windows - resumed.kept
    assert resumed.done_again == 0
    assert resumed.same_text


async def test_ten_hours_of_lines_are_kept_in_one_transaction(tmp_path: Path) -> None:
    assert await seconds_to_save(10_000, tmp_path) > 0
