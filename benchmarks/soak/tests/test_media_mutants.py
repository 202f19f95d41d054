"""The short form of `media-mutants`: the same bytes each time, which break nothing; defects are found."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.soak.media_mutants.command import run_mutants
from benchmarks.soak.media_mutants.mutate import mutant
from benchmarks.soak.media_mutants.seeds import SEEDS, make_seeds
from benchmarks.soak.media_mutants.work import Defect, Outcome, Worker
from cluster.settings import get_cluster_settings
from pipelines.media import probe
from pipelines.messages.attempt import Attempt, Result
from pipelines.messages.requests import IngestRequest

SHORT = 63
"""Seven of each form."""


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    return make_seeds(tmp_path_factory.mktemp("seeds"))


def test_a_number_is_a_file(seeds: dict[str, bytes], tmp_path: Path) -> None:
    assert make_seeds(tmp_path) == seeds
    for form, whole in seeds.items():
        assert len(whole) < 100_000
        mutants = [mutant(whole, form, number, 1) for number in range(30)]
        assert mutants == [mutant(whole, form, number, 1) for number in range(30)]
        assert len(set(mutants) - {whole}) > 25
        assert mutants[0] != mutant(whole, form, 0, 2)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_no_broken_file_breaks_us(seeds: dict[str, bytes], tmp_path: Path) -> None:
    every = list(run_mutants(SHORT, seed=1, workers=2, seeds=seeds, folder=tmp_path))
    assert [(seen.form, seen.number, seen.defects) for seen in every if seen.defects] == []
    assert len(every) == SHORT
    assert {seen.form for seen in every} == set(SEEDS)
    # Neither all intact nor all refused: otherwise the test would prove nothing.
    assert {Outcome.DECODED, Outcome.REJECTED} <= {seen.outcome for seen in every}


def crashing_flow(request: IngestRequest, attempt: Attempt) -> Iterator[Result]:
    raise KeyError("nothing")


@pytest.mark.long
def test_what_must_not_happen_is_seen(seeds: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path))
    worker = Worker(tmp_path, seeds, 1)
    get_cluster_settings().work_root.joinpath("forgotten").mkdir(parents=True)
    assert Defect.LEFT in worker.run("wav", 4).defects
    get_cluster_settings().work_root.joinpath("forgotten").rmdir()
    dying = tmp_path / "dying.py"
    dying.write_text(f"import os\nos.kill(os.getpid(), {int(signal.SIGSEGV)})\n")
    monkeypatch.setattr(probe, "_CHILD", dying)
    assert set(worker.run("wav", 4).defects) == {Defect.SIGNAL}
    monkeypatch.setattr(worker, "ingest", f"{__name__}:{crashing_flow.__name__}")
    assert set(worker.run("wav", 4).defects) == {Defect.CRASH}
    get_cluster_settings.cache_clear()
