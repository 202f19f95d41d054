"""Short real runs of `batching`, `serve` and `tune` with the tiny Whisper: what they leave can be read and compared."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from benchmarks.measure.batching.command import command as batching
from benchmarks.measure.load.curves import read_curves
from benchmarks.measure.open_loop.command import command as serve
from benchmarks.measure.outcomes.outcome import read_outcome
from benchmarks.measure.tune.command import command as tune
from pipelines.media.sample import SAMPLE
from serve.testing.tiny_models.archives import models_folder


@pytest.fixture(scope="module")
def audio(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audio")
    shutil.copy(SAMPLE, folder / "talk.mp4")
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models_folder(tmp_path_factory.mktemp("models")) / "whisper"


def run(command: Callable[..., None], *arguments: object) -> Result:
    app = typer.Typer()
    app.command()(command)
    return CliRunner().invoke(app, [str(argument) for argument in arguments], env={"COLUMNS": "200"})


@pytest.mark.long
def test_batching_leaves_a_result_a_table_a_page_and_service_times(audio: Path, model: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    grid = ("--batch", 1, "--batch", 2, "--wait", 0, "--callers", 2, "--seconds", 1, "--warm-up", 0)
    times = ("--window", 2, "--calls", 1)
    ran = run(
        batching,
        *grid,
        *times,
        "--model",
        model,
        "--audio",
        audio,
        "--longest",
        2,
        "--language",
        "en",
        "--output",
        path,
    )
    assert ran.exit_code == 0, ran.output
    outcome = read_outcome(path)
    assert [system.name for system in outcome.systems] == ["batch 1, wait 0 ms", "batch 2, wait 0 ms"]
    for system in outcome.systems:
        assert {item.condition for item in system.items} == {"2 callers"}
        assert all(item.values["answered"] == (1.0, 1.0) for item in system.items)
        figures = {figure.name: figure.value for figure in system.figures}
        assert figures["memory peak"] > 20
        assert figures["best real-time factor"] > 0
        # A second of calls is enough for the median, not always for more.
        assert "p50" in {curve.title.split()[1] for curve in system.curves}
    rows = list(csv.DictReader(path.with_suffix(".csv").open()))
    assert [row["max_batch"] for row in rows] == ["1", "2"]
    assert float(rows[0]["mean_batch"]) == 1
    curves = read_curves(path.with_suffix(".curves.json"))
    assert curves.curves[0].engine == "whisper"
    assert {(point.batch, point.window_s) for point in curves.curves[0].points} == {(1, 2), (2, 2)}
    assert "<svg" in path.with_suffix(".html").read_text()


@pytest.mark.long
def test_serve_counts_every_arrival(audio: Path, model: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    rates = ("--rate", 10, "--seconds", 1, "--warm-up", 0.2, "--seed", 3)
    ran = run(serve, *rates, "--model", model, "--audio", audio, "--longest", 2, "--language", "en", "--output", path)
    assert ran.exit_code == 0, ran.output
    (system,) = read_outcome(path).systems
    assert system.engine == "whisper"
    figures = {figure.name: figure.value for figure in system.figures}
    assert len(system.items) == figures["10/s: offered"]
    assert all("p50" in item.values for item in system.items)
    assert "10/s: too few requests for p95, p99. Measure for longer." in system.notes


@pytest.mark.long
def test_tune_keeps_every_run_whatever_it_decides(audio: Path, model: Path, tmp_path: Path) -> None:
    path, profile = tmp_path / "tuned.yaml", tmp_path / "base.yaml"
    profile.write_text("transcription: {models: [tiny], hub: false, max_batch: 2, workers: 1}")
    search = ("--batch", 1, "--seconds", 1, "--warm-up", 0, "--repeats", 2, "--finalists", 1)
    ran = run(tune, "--write", path, *search, "--profile", profile, "--model", model, "--audio", audio, "--longest", 2)
    # Two runs of a second can rarely tell, and both answers are right.
    assert ran.exit_code in (0, 3), ran.output
    assert path.exists() == (ran.exit_code == 0)
    outcome = read_outcome(path.with_suffix(".evidence.json"))
    assert [system.name for system in outcome.systems] == ["the profile as it is", "batch 1"]
    assert [len(system.items) for system in outcome.systems] == [2, 2]
    assert outcome.notes[0] in " ".join(ran.output.split()) or "recommend" in outcome.notes[0].lower()


@pytest.mark.parametrize(
    ("command", "arguments", "words"),
    [
        (batching, ("--audio", "/nowhere"), "There is no folder /nowhere"),
        (serve, ("--rate", 1, "--url", "http://localhost"), "--through openai belong together"),
        (serve, ("--rate", 1, "--through", "cluster", "--on-refusal", "count"), "always waits after a refusal"),
        (serve, ("--rate", 1, "--profile", "odd"), "There is no profile"),
        (tune, ("--write", "tuned.txt"), "ends in .yaml"),
        (tune, ("--write", "tuned.yaml", "--p95", "2s"), "needs the --rate"),
    ],
)
def test_wrong_use_is_answered_with_a_sentence(
    command: Callable[..., None], arguments: tuple[object, ...], words: str, audio: Path
) -> None:
    given = arguments if "--audio" in arguments or command is tune else (*arguments, "--audio", audio)
    ran = run(command, *given)
    assert ran.exit_code == 2
    assert words in " ".join(ran.output.replace("│", " ").split())
