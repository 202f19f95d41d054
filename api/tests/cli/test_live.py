"""`sagascript live`: captions of what ffmpeg opens, while it runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.commands import app
from api.platform.settings import get_settings
from cluster.settings import get_cluster_settings
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port
from pipelines.captions.reading.srt import parse_srt
from pipelines.testing.voices import FOX, silence, spoken, write_wav

HELD = ("brown", "dog")
"""Words of the sentence that the built-in engine hears."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path / "data"))
    write_wav(tmp_path / "talk.wav", spoken(FOX, "slt", tmp_path), silence(1))
    return tmp_path


def live(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["live", *arguments])
    get_settings.cache_clear()
    get_cluster_settings.cache_clear()
    return result.exit_code, " ".join(result.output.split())


def test_a_file_is_read_as_it_plays_and_leaves_captions(folder: Path) -> None:
    code, said = live("talk.wav", "-o", "talk.srt")
    assert code == 0, said
    assert all(word in said for word in HELD)
    text = " ".join(line.text for line in parse_srt((folder / "talk.srt").read_text()))
    assert all(word in text for word in HELD)
    code, said = live("talk.wav", "-o", "talk.srt")
    assert code == 1
    assert "talk.srt already exists" in said


@pytest.mark.long
def test_ctrl_c_ends_an_endless_input_and_what_was_said_is_written(folder: Path) -> None:
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "api.main", "live", str(pipe), "--input-format", "wav", "-o", "out.srt"]
    # The pause after the sentence ends it, as in a meeting that goes on.
    write_wav(folder / "meeting.wav", spoken(FOX, "slt", folder), silence(3))
    with subprocess.Popen(
        command, env=_environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        with pipe.open("wb") as sound:
            sound.write((folder / "meeting.wav").read_bytes())
            sound.flush()
            heard = b""
            # The pipe stays open: nothing but Ctrl-C ends this.
            while b"dog" not in heard:
                piece = os.read(process.stdout.fileno(), 65_536)
                assert piece, heard
                heard += piece
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE_S)
        assert process.returncode == 0, heard + process.stdout.read()
    assert "dog" in (folder / "out.srt").read_text()


@pytest.mark.long
def test_it_waits_for_a_sender_and_ends_with_it(folder: Path) -> None:
    # A stream begins with a moment of nothing: players need its head first.
    write_wav(folder / "stream.wav", silence(1), spoken(FOX, "slt", folder), silence(2))
    address = f"rtmp://127.0.0.1:{free_port()}/live/talk"
    command = [sys.executable, "-m", "api.main", "live", address, "--listen", "-o", "out.srt"]
    with subprocess.Popen(
        command, env=_environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        sender = ["ffmpeg", "-loglevel", "error", "-re", "-i", "stream.wav", "-c:a", "aac", "-f", "flv", address]

        # Refused until somebody listens there.
        while subprocess.run(sender, cwd=folder, capture_output=True, check=False).returncode:
            assert process.poll() is None, process.communicate()
            time.sleep(0.1)
        said, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, said
    assert "dog" in (folder / "out.srt").read_text()


def _environment(folder: Path) -> dict[str, str]:
    project = Path(__file__).parents[3]
    return {**os.environ, "SAGASCRIPT_DATA_DIR": str(folder / "data"), "PYTHONPATH": str(project)}


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nothing.wav",), "There is no file nothing.wav. For a device, name its --input-format."),
        (("talk.wav", "--language", "auto"), "The language cannot be detected live. Name it with --language."),
        (("talk.wav", "--language", "tlh"), "“tlh” is not a language Sagascript supports."),
        (("talk.wav", "--language", "is-IS"), "cannot transcribe Icelandic"),
        (("rtmp://127.0.0.1:1/x",), "Connection refused"),
        (("talk.wav", "--input-format", "nonsense"), "nonsense"),
        (("talk.wav", "--to", "http://127.0.0.1:1", "--key", "x"), "No installation answers at http://127.0.0.1:1"),
        (("http://127.0.0.1:1/x", "--listen"), "begins with rtmp:// or srt://"),
    ],
)
def test_what_cannot_be_followed_gets_a_sentence(folder: Path, arguments: tuple[str, ...], sentence: str) -> None:
    code, said = live(*arguments)
    assert code == 1, said
    assert sentence in said
    assert "Traceback" not in said
    assert list(folder.glob("*.srt")) == []
