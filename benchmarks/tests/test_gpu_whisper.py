"""The sweep over batch sizes on the processor with the smallest shape, and the least time it compares with."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from benchmarks.measure.gpu_whisper.command import command
from benchmarks.measure.gpu_whisper.limit import DeviceSpeed, work_of
from serve.testing.random_whisper_torch import SHAPES

TURBO, LARGE = SHAPES["large-v3-turbo"], SHAPES["large-v3"]


def program() -> typer.Typer:
    app = typer.Typer()
    app.command()(command)
    return app


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


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed here")
def test_without_torch_it_says_what_to_install() -> None:
    run = CliRunner().invoke(program(), [])
    assert run.exit_code == 2
    assert "sagascript[gpu]" in run.output


@pytest.mark.long
@pytest.mark.gpu_env
def test_all_three_sides_write_the_same_number_of_tokens_and_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    out = tmp_path / "result.json"
    sweep = ["--shape", "smallest", "--batch", "1", "--batch", "2", "--tokens", "5", "--repeats", "1"]
    run = CliRunner().invoke(program(), [*sweep, "--out", str(out)], catch_exceptions=False)
    assert run.exit_code == 0
    assert "There is no GPU here" in run.output
    result = json.loads(out.read_text())
    assert [each["name"] for each in result["systems"]] == ["whisper_torch", "ctranslate2", "transformers"]
    for each in result["systems"]:
        assert not each.get("notes"), each["notes"]
        written = {item["condition"]: item["values"]["tokens"][0] for item in each["items"]}
        assert written == {"batch 1": 10, "batch 2": 20}
        assert [point["x"] for curve in each["curves"] for point in curve["points"]] == [1, 2, 1, 2]
    assert "Speed by batch" in out.with_suffix(".html").read_text()


@pytest.mark.gpu_env
@pytest.mark.parametrize(("option", "words"), [("--shape", "no shape nonsense"), ("--side", "no side nonsense")])
def test_an_unknown_shape_or_side_is_refused(option: str, words: str) -> None:
    run = CliRunner().invoke(program(), [option, "nonsense"])
    assert run.exit_code == 2
    assert words in " ".join(run.output.replace("│", " ").split())
