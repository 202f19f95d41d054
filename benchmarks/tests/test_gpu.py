"""`benchmarks gpu` on the processor with the smallest shape: every line of it but those that speak to a GPU."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError, distribution, requires
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import typer
from typer.testing import CliRunner

from benchmarks.goals.gpu.command import command
from benchmarks.goals.gpu.limit import DeviceSpeed, work_of
from benchmarks.goals.gpu.profile import best_batch, written_profile
from benchmarks.goals.table import GOALS
from cluster.testing.report import Report
from serve.profile import load_profile
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.random_whisper_torch import SHAPES

if TYPE_CHECKING:
    from benchmarks.goals.gpu.run import Run

TURBO, LARGE = SHAPES["large-v3-turbo"], SHAPES["large-v3"]
CHECKOUT = Path(__file__).parents[2]
SMALLEST = (
    *("--shape", "smallest", "--batch", "1", "--batch", "2", "--words", "6", "--repeats", "1", "--seconds", "0.2"),
    # No step is left out on a busy machine.
    *("--minutes", "600"),
)


def program() -> typer.Typer:
    app = typer.Typer()
    app.command()(command)
    return app


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    from benchmarks.goals.gpu.run import Run

    report = Report("gpu", package="benchmarks", goals=GOALS, folder=tmp_path)
    yield Run(report, "cpu", minutes=1, words=6, repeats=1, cache=tmp_path)
    Report.open.remove(report)


def figures(file: Path) -> Mapping[str, Mapping[str, Any]]:
    return {row["name"]: row for row in json.loads(file.read_text())["results"]}


def test_the_least_time_follows_from_operations_in_the_encoder_and_bytes_in_the_decoder() -> None:
    one, many = (work_of(TURBO, batch=size, tokens=120, value_bytes=2) for size in (1, 64))
    # The published encoder of large-v3 has 635 M parameters, used for 1,500 frames each, and its attention.
    assert one.encoder_operations == pytest.approx(2 * 635e6 * 1500, rel=0.35)
    assert many.encoder_operations == 64 * one.encoder_operations
    # The decoder's weights are read once for the whole batch.
    assert many.step_bytes < 10 * 64 * one.step_bytes / 10
    assert work_of(LARGE, batch=64, tokens=120, value_bytes=2).step_bytes > 6 * many.step_bytes
    copies_slowly, multiplies_slowly = DeviceSpeed(1e15, 1e12), DeviceSpeed(1e12, 1e15)
    assert many.least_seconds(copies_slowly) == pytest.approx(
        many.encoder_operations / 1e15 + many.steps * many.step_bytes / 1e12
    )
    assert many.least_seconds(multiplies_slowly) > many.encoder_operations / 1e12


def test_a_smaller_batch_is_recommended_where_it_is_nearly_as_fast(tmp_path: Path) -> None:
    assert best_batch({16: 500.0, 64: 980.0, 128: 1000.0}) == 64
    assert best_batch({16: 500.0, 64: 900.0, 128: 1000.0}) == 128
    file = tmp_path / "gpu.yaml"
    written_profile(file, {"engine": "whisper_torch", "max_batch": 64, "workers": 3}, "980 x real time.")
    assert file.read_text().startswith("# 980 x real time.\n")
    section = load_profile(str(file)).require(TranscriptionProfile)
    assert (section.engine, section.max_batch, section.workers, section.device) == ("whisper_torch", 64, 3, "cuda")


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed here")
def test_without_torch_it_says_what_to_install() -> None:
    ended = CliRunner().invoke(program(), [])
    assert ended.exit_code == 2
    assert "sagascript[gpu]" in ended.output


@pytest.mark.gpu_env
def test_an_unknown_shape_is_refused() -> None:
    ended = CliRunner().invoke(program(), ["--shape", "nonsense"])
    assert ended.exit_code == 2
    assert "no shape nonsense" in " ".join(ended.output.replace("│", " ").split())


@pytest.mark.gpu_env
def test_a_step_that_fails_is_told_and_the_next_one_goes_on(run: Run, tmp_path: Path) -> None:
    def broken() -> None:
        run.report.figure("before it broke", 1.0, "s")
        raise RuntimeError("CUDA error: an illegal memory access\nand more")

    assert not run.step("first", broken, seconds=1)
    assert run.step("second", lambda: run.report.figure("after it", 2.0, "s"), seconds=1)
    assert not run.step("third", lambda: run.report.figure("too long", 3.0, "s"), seconds=61)
    assert (run.failed, run.left_out) == (["first"], ["third"])
    assert run.report.notes == ["first failed: RuntimeError: CUDA error: an illegal memory access"]
    # What a cut run keeps.
    kept = json.loads((tmp_path / "gpu.unfinished.json").read_text())
    assert [row["name"] for row in kept["results"]] == ["before it broke", "after it"]


@pytest.mark.gpu_env
def test_a_run_that_goes_on_knows_the_speed_that_a_cut_one_measured(run: Run) -> None:
    assert run.speed is None
    run.report.figure("multiplying", 2.0, "T operations/s")
    run.report.figure("copying", 3.0, "GB/s")
    assert run.speed == DeviceSpeed(2e12, 3e9)


@pytest.mark.gpu_env
def test_vllm_writes_as_many_tokens_as_are_wanted(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """vLLM cannot be installed here: this holds our calls to its documented form."""
    from benchmarks.goals.gpu.sides import PEERS
    from benchmarks.goals.gpu.sounds import wave

    loaded: dict[str, Any] = {}

    class Model:
        def __init__(self, **options: Any) -> None:
            loaded.update(options)

        def generate(self, prompts: list[Any], parameters: list[Any], *, use_tqdm: bool) -> list[Any]:
            assert [set(each) for each in prompts] == [{"prompt", "multi_modal_data"}] * len(parameters)
            outputs = ([SimpleNamespace(token_ids=range(each.max_tokens))] for each in parameters)
            return [SimpleNamespace(outputs=each) for each in outputs]

    module = ModuleType("vllm")
    module.__spec__ = ModuleSpec("vllm", None)
    module.LLM, module.SamplingParams = Model, SimpleNamespace  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "vllm", module)
    side = PEERS["vLLM"][1](run, tmp_path, 4)
    assert side.decode([wave(1.0, 1), wave(1.0, 2)], [3, 5]) == 8
    assert loaded["max_num_seqs"] == 4
    side.close()


@pytest.mark.long
@pytest.mark.gpu_env
def test_every_part_path_and_peer_is_measured_on_the_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    profile = tmp_path / "profile.yaml"
    ended = CliRunner().invoke(
        program(), [*SMALLEST, "--out", str(tmp_path), "--profile", str(profile)], catch_exceptions=False
    )
    # The table is longer than what is kept of a failed run's output.
    notes = " ".join(json.loads((tmp_path / "gpu.json").read_text())["notes"])
    assert ended.exit_code == 0, notes
    assert "There is no GPU here" in ended.output
    measured = figures(tmp_path / "gpu.json")
    assert measured["rows with the same tokens in float32"]["value"] == 100
    assert measured["encoder in float32, relative difference"]["value"] < 1e-5
    for name in (
        "our loop, batch 1",
        "our loop, batch 2, unequal rows",
        "encoder, batch 2, for a window",
        "encoder, batch 1, share of the least time",
        "decode step of 2 rows, kernel by kernel",
        "word times, batch 2, for a window",
        "clips of 5 s, 64 callers",
        "clips of 5 s, 64 callers, through Serve, p95",
        "transformers, batch 2",
        "faster-whisper, batch 2, memory",
    ):
        assert f"smallest: {name}" in measured, name
    # Both batches of a run, each window with all its words.
    words = {name: row["words"] for name, row in measured.items() if "words" in row}
    assert {count for name, count in words.items() if "word times" not in name} == {0}
    assert {count for name, count in words.items() if "word times" in name} <= {2 * 1 * 6, 2 * 2 * 6}
    assert "goal" not in {key for row in measured.values() for key in row}
    assert "vLLM was not measured" in notes
    assert "Attention of the encoder ran as" in notes
    assert load_profile(str(profile)).require(TranscriptionProfile).engine == "whisper_torch"


@pytest.fixture
def bare_site(tmp_path: Path) -> Path:
    """A folder with torch, transformers and what they need, as a machine has it that knows nothing of us."""
    site = tmp_path / "site"
    site.mkdir()
    known: set[str] = set()
    waiting = ["torch", "transformers"]
    while waiting:
        name = waiting.pop().lower()
        if name in known:
            continue
        known.add(name)
        try:
            needed = requires(name) or []
        except PackageNotFoundError:
            continue
        waiting += [re.match(r"[\w.-]+", each)[0] for each in needed if "extra ==" not in each]  # type: ignore[index]
        files = distribution(name).files or []
        for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(Path(str(distribution(name).locate_file(top))).resolve())
    return site


@pytest.mark.long
@pytest.mark.gpu_env
def test_torch_and_transformers_suffice(tmp_path: Path, bare_site: Path) -> None:
    environment = {
        "PYTHONPATH": os.pathsep.join((str(bare_site), str(CHECKOUT))),
        "XDG_CACHE_HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "TERM": "dumb",
        "COLUMNS": "400",
    }
    alone = (sys.executable, "-S", "-m", "benchmarks", "gpu", *SMALLEST, "--out", str(tmp_path))
    ended = subprocess.run(alone, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    for missing in ("no ctranslate2, no faster-whisper", "needs ray and faster_whisper", "faster-whisper was not"):
        assert missing in ended.stdout, ended.stdout
    measured = figures(tmp_path / "gpu.json")
    assert "smallest: transformers, batch 2" in measured
    assert any(name.endswith("workers 2, word times") and row["words"] for name, row in measured.items())
