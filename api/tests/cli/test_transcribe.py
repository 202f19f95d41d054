"""`sagascript transcribe` without a running installation: results, refusals, and nothing left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import av
import pytest
from typer.testing import CliRunner

from api.commands import app
from api.platform.settings import get_settings
from api.testing.files.sample import SHORT_S, short_sample
from api.testing.processes.held_ffmpeg import held_ffmpeg
from cluster.settings import get_cluster_settings
from cluster.testing.patience import PATIENCE_S
from pipelines.captions.reading.srt import parse_srt
from pipelines.media.sample import SAMPLE


def transcribe(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run in `folder`, which also is its temporary folder."""
    env = {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(folder / "data"),
        "TMPDIR": str(folder / "tmp"),
        "PYTHONPATH": os.getcwd(),
    }
    (folder / "tmp").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-m", "api.main", "transcribe", *map(str, arguments)],
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )


def test_captions_and_a_burnt_video_from_a_machine_with_nothing_running(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sample = short_sample(tmp_path_factory.mktemp("sample"))
    result = transcribe(sample, "--language", "en-US", "-o", "out.srt", "--burn", "out.mp4", folder=tmp_path)
    assert result.returncode == 0, result.stderr
    lines = parse_srt((tmp_path / "out.srt").read_text())
    text = " ".join(line.text for line in lines).replace("\n", " ")
    assert "welcome to the show today we talk about captions and why every video should have them" in text
    with av.open(str(tmp_path / "out.mp4")) as opened:
        assert SHORT_S - 1 <= (opened.duration or 0) / 1_000_000 <= SHORT_S + 1
        assert {stream.type for stream in opened.streams} == {"video", "audio"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.mp4", "out.srt", "tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_the_middle_it_leaves_nothing(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, number: signal.Signals
) -> None:
    held = held_ffmpeg(tmp_path_factory.mktemp("held"))
    held.hold.touch()
    (tmp_path / "tmp").mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "api.main", "transcribe", str(SAMPLE), "-o", "out.srt"],
        env={
            **os.environ,
            "TMPDIR": str(tmp_path / "tmp"),
            "PYTHONPATH": os.getcwd(),
            "SAGASCRIPT_FFMPEG": str(held.program),
        },
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    while not held.begun.exists():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    _, told = process.communicate()
    assert (process.returncode, "Nothing was written" in told) == (130, True), told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tmp"]
    assert list((tmp_path / "tmp").iterdir()) == []


INTERRUPT_WHILE_LOADING = """
import sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "serve.core.in_process":
            exec("raise KeyboardInterrupt")
sys.meta_path.insert(0, Interrupting())
"""


@pytest.mark.long
def test_stopped_while_code_from_a_string_runs_it_ends_like_that_too(tmp_path: Path) -> None:
    """Dataclasses are made of such code: Python alone would then end by the signal, whatever was said."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPT_WHILE_LOADING)
    ended = subprocess.run(
        [sys.executable, "-m", "api.main", "transcribe", str(SAMPLE), "-o", str(tmp_path / "out.srt")],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{os.getcwd()}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, "Nothing was written" in ended.stderr) == (130, True), ended.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.mp4"], "There is no file missing.mp4."),
        (["."], ". is not a file."),
        (["letter.mp4"], "letter.mp4 cannot be transcribed. This is a text file."),
        ([str(SAMPLE), "--language", "xx-YY"], "“xx-YY” is not a language Sagascript supports."),
        ([str(SAMPLE), "-o", "old.srt"], "old.srt already exists. Use --force to overwrite it"),
        ([str(SAMPLE), "-o", "nowhere/out.srt"], "the folder nowhere is missing"),
        ([str(SAMPLE), "-o", "."], ". is a folder."),
        (["film.mp4", "-o", "film.mp4", "--force"], "film.mp4 is the input itself."),
        ([str(SAMPLE), "-o", "new.srt", "--burn", "old.srt"], "old.srt already exists."),
    ],
)
def test_bad_input_is_refused_at_once_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    (tmp_path / "old.srt").write_text("kept")
    (tmp_path / "letter.mp4").write_text("Dear reader")
    shutil.copyfile(SAMPLE, tmp_path / "film.mp4")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path / "data"))
    result = CliRunner().invoke(app, ["transcribe", *arguments])
    get_settings.cache_clear()
    get_cluster_settings.cache_clear()
    assert result.exit_code == 1
    assert sentence in " ".join(result.output.split())
    assert (tmp_path / "old.srt").read_text() == "kept"


def test_an_unknown_format_is_refused() -> None:
    result = CliRunner().invoke(app, ["transcribe", str(SAMPLE), "--format", "doc"])
    assert result.exit_code == 2
    assert "srt" in result.output
