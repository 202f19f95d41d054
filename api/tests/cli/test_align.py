"""`sagascript align`: a script beside a recording becomes captions."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.commands import app
from api.platform.settings import get_settings
from api.testing.files.sample import short_sample
from cluster.settings import get_cluster_settings
from pipelines.captions.reading.srt import parse_srt

SCRIPT = """# The show

Welcome to the show! Today, we talk about capshuns, and why every video should have them.

This paragraph was cut before the recording was published.
"""
SPOKEN = "Welcome to the show! Today, we talk about capshuns, and why every video should have them."


@pytest.fixture
def folder(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copyfile(short_sample(tmp_path_factory.mktemp("sample")), tmp_path / "talk.mp4")
    (tmp_path / "script.txt").write_text(SCRIPT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


def align(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["align", *arguments])
    get_settings.cache_clear()
    get_cluster_settings.cache_clear()
    return result.exit_code, " ".join(result.output.split())


@pytest.mark.long
def test_a_text_becomes_captions_and_captions_get_times(folder: Path) -> None:
    code, said = align("talk.mp4", "script.txt", "--language", "en-US")
    assert code == 0, said
    assert "Not spoken, so left out: “# The show”." in said
    assert "Not spoken, so left out: “This paragraph was cut" in said
    lines = parse_srt((folder / "talk.srt").read_text())
    assert " ".join(line.text.replace("\n", " ") for line in lines) == SPOKEN
    assert 500 <= lines[0].start_ms <= 1_000
    assert 1_500 <= lines[1].start_ms <= 2_500

    (folder / "late.vtt").write_text(
        "WEBVTT\n\n01:00:00.000 --> 01:00:02.000\nWelcome to the show!\n\n"
        "01:00:02.000 --> 01:00:04.000\nToday, we talk about\ncapshuns\n"
    )
    code, said = align("talk.mp4", "late.vtt", "--language", "en-US", "-o", "timed.srt")
    assert code == 0, said
    timed = parse_srt((folder / "timed.srt").read_text())
    assert [line.text for line in timed] == ["Welcome to the show!", "Today, we talk about\ncapshuns"]
    assert timed[0].start_ms == lines[0].start_ms


@pytest.mark.long
def test_a_script_of_something_else_is_refused(folder: Path) -> None:
    (folder / "other.txt").write_text("Wizards juggle quickly before dawn, when dragons sleep under cold blue hills.")
    code, said = align("talk.mp4", "other.txt", "--language", "en-US")
    assert code == 1
    assert "This text is not what is spoken here" in said
    assert not (folder / "talk.srt").exists()


@pytest.mark.parametrize(
    ("script", "options", "sentence"),
    [
        ("missing.txt", [], "missing.txt is not a file that can be read."),
        ("empty.txt", [], "empty.txt holds no words."),
        ("broken.srt", [], "broken.srt cannot be read."),
        ("script.txt", ["-o", "script.txt", "--force"], "script.txt is the input itself."),
        ("script.txt", ["-o", "empty.txt"], "empty.txt already exists."),
        ("script.txt", ["--language", "xx-YY"], "“xx-YY” is not a language Sagascript supports."),
    ],
)
def test_bad_input_is_refused_at_once(folder: Path, script: str, options: list[str], sentence: str) -> None:
    (folder / "empty.txt").write_text(" \n")
    (folder / "broken.srt").write_text("No times are in here.")
    code, said = align("talk.mp4", script, *options)
    assert (code, sentence in said) == (1, True), said
    assert (folder / "script.txt").read_text() == SCRIPT
