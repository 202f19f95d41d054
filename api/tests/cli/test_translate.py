"""`sagascript translate` without a running installation: results, notes, refusals, and nothing left behind."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.commands import app
from api.platform.settings import get_settings
from cluster.settings import get_cluster_settings
from cluster.testing.patience import PATIENCE_S
from pipelines.captions.reading.srt import parse_srt
from serve.testing.tiny_models.archives import TRANSLATION, unpack

TALK = """1
00:00:01,000 --> 00:00:03,000
When the bridge was finished,

2
00:00:03,100 --> 00:00:06,000
everybody in the village
came to see it.

3
00:00:06,500 --> 00:00:08,000
♪

4
00:00:08,000 --> 00:00:11,000
- Where is the library?
- I do not understand.

5
00:00:11,000 --> 00:00:13,500
The budget is 12,500 euros.
"""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    unpack(TRANSLATION, folder)
    return folder


def translate(*arguments: str, folder: Path, models: Path | None = None) -> subprocess.CompletedProcess[str]:
    (folder / "tmp").mkdir(exist_ok=True)
    env = {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(folder / "data"),
        "SAGASCRIPT_MODELS_DIR": str(models or folder / "none"),
        "TMPDIR": str(folder / "tmp"),
        "PYTHONPATH": os.getcwd(),
    }
    return subprocess.run(
        [sys.executable, "-m", "api.main", "translate", *arguments],
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )


def said(result: subprocess.CompletedProcess[str]) -> str:
    return " ".join(result.stderr.split())


def test_a_subtitle_file_is_translated_beside_itself(tmp_path: Path, models: Path) -> None:
    (tmp_path / "talk.en.srt").write_text(TALK)
    (tmp_path / "terms.csv").write_text("source,target\nbridge,brú\nvillage,borg\n")
    result = translate("talk.en.srt", "--to", "is", "--glossary", "terms.csv", folder=tmp_path, models=models)
    assert result.returncode == 0, result.stderr
    written = (tmp_path / "talk.is.srt").read_text()
    lines = parse_srt(written)
    source = parse_srt(TALK)
    assert [(line.start_ms, line.end_ms) for line in lines] == [(line.start_ms, line.end_ms) for line in source]
    assert lines[0].text == "Þegar brúin var fullgerð"
    assert lines[1].text.replace("\n", " ") == "komu allir í þorpinu að sjá hana."
    assert [line.text for line in lines[2:]] == [
        "♪",
        "- Hvar er bókasafnið?\n- Ég skil ekki.",
        "Fjárhagsáætlunin er 12.500 evrur.",
    ]
    assert "00:00:03,100: a glossary term is missing" in said(result)
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not (tmp_path / "data").exists() or not list((tmp_path / "data").iterdir())


@pytest.mark.long
def test_the_language_is_guessed_from_the_text_and_the_format_from_the_name(tmp_path: Path, models: Path) -> None:
    (tmp_path / "talk.srt").write_text(TALK)
    result = translate("talk.srt", "--to", "es", "-o", "out.vtt", folder=tmp_path, models=models)
    assert result.returncode == 0, result.stderr
    assert "taken for English" in said(result)
    assert (tmp_path / "out.vtt").read_text().startswith("WEBVTT")


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["missing.srt", "--to", "is"], "There is no file missing.srt."),
        (["letter.srt", "--to", "is"], "No caption times were found"),
        (["empty.srt", "--to", "is"], "empty.srt holds no captions."),
        (["talk.srt", "--to", "xx"], "“xx” is not a language Sagascript supports."),
        (["talk.srt", "--to", "is", "-o", "old.srt"], "old.srt already exists. Use --force to overwrite it"),
        (["talk.srt", "--to", "is", "--glossary", "letter.srt"], "needs the columns “source” and “target”"),
        (["odd.srt", "--to", "is"], "is not clear. Name it with --from"),
    ],
)
def test_bad_input_is_refused_before_a_model_loads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], sentence: str
) -> None:
    write_inputs(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path / "data"))
    result = CliRunner().invoke(app, ["translate", *arguments])
    get_settings.cache_clear()
    get_cluster_settings.cache_clear()
    assert result.exit_code == 1
    assert sentence in " ".join(result.output.split())
    assert_nothing_written(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("en", "These captions are in English already. Choose another language."),
        (
            "fr",
            "cannot translate English into French. From English it translates into German, Icelandic and Spanish.",
        ),
    ],
)
def test_a_pair_that_does_not_work_is_refused_with_what_does(
    tmp_path: Path, models: Path, target: str, sentence: str
) -> None:
    write_inputs(tmp_path)
    result = translate("talk.srt", "--from", "en", "--to", target, folder=tmp_path, models=models)
    assert result.returncode == 1
    assert sentence in said(result)
    assert_nothing_written(tmp_path)


def write_inputs(folder: Path) -> None:
    (folder / "old.srt").write_text("kept")
    (folder / "letter.srt").write_text("Dear reader")
    (folder / "empty.srt").write_text("")
    (folder / "odd.srt").write_text("1\n00:00:01,000 --> 00:00:03,000\nZxq vbn\n")
    (folder / "talk.srt").write_text(TALK)


def assert_nothing_written(folder: Path) -> None:
    names = ["empty.srt", "letter.srt", "odd.srt", "old.srt", "talk.srt"]
    assert sorted(path.name for path in folder.glob("*.*t")) == names
    assert (folder / "old.srt").read_text() == "kept"
