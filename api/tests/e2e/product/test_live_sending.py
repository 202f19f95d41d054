"""`sagascript live INPUT --to ADDRESS`: a program sends what ffmpeg decodes, and the installation captions it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from base64 import b64encode
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from openai import OpenAI

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.testing.files.spoken_video import make_video, text_of
from api.testing.processes.product import Product
from api.tests.e2e.product.conftest import SPOKEN, Owner
from cluster.testing.patience import PATIENCE_S

PROJECT = Path(__file__).parents[4]


def sent(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "api.main", "live", *arguments]
    settings = {"SAGASCRIPT_DATA_DIR": str(folder / "data"), "PYTHONPATH": str(PROJECT), **environment}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode, " ".join(done.stdout.split())


def test_an_input_becomes_a_file_there_while_it_plays(product: Product, owner: Owner, tmp_path: Path) -> None:
    make_video(tmp_path / "talk.mp4", [SPOKEN])
    key = owner.program.api_key
    code, said = sent(tmp_path, "talk.mp4", "--to", product.url, "--name", "Broadcast", SAGASCRIPT_API_KEY=key)
    assert code == 0, said
    assert "weather" in said
    slug = said.rsplit("/", 1)[1]
    file: dict[str, Any] = owner.data(f"/api/files/{slug}")
    assert (file["name"], file["status"]) == ("Broadcast", "completed")
    lines = owner.data(f"/api/files/captions/{slug}")["lines"]
    assert text_of(SPOKEN) in " ".join(line["text"] for line in lines)
    assert not list((tmp_path / "data").rglob("*.pcm")), "nothing stays on this machine"


@pytest.mark.long
def test_a_recording_that_somebody_deletes_there_ends_here_too(product: Product, owner: Owner, tmp_path: Path) -> None:
    make_video(tmp_path / "talk.mp4", [SPOKEN], rounds=20)
    command = [sys.executable, "-m", "api.main", "live", "talk.mp4", "--to", product.url, "--name", "Deleted"]
    settings = {"SAGASCRIPT_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(PROJECT)}
    environment = {**os.environ, **settings, "SAGASCRIPT_API_KEY": owner.program.api_key}
    running = subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert running.stdout is not None
    printed = ""
    while "weather" not in printed and (letter := running.stdout.read(1)):
        printed += letter
    (file,) = [each for each in owner.data("/api/files") if each["name"] == "Deleted"]
    headers = {XSRF_HEADER: unquote(owner.browser.cookies[XSRF_COOKIE])}
    owner.browser.delete(f"/api/files/{file['slug']}", headers=headers).raise_for_status()
    said, _ = running.communicate(timeout=PATIENCE_S)
    assert running.returncode == 1
    assert "deleted the recording there" in " ".join(said.split())


@pytest.mark.long
def test_openais_client_for_speech_that_goes_on_gets_the_words(product: Product, owner: Owner, tmp_path: Path) -> None:
    video = make_video(tmp_path / "talk.mp4", [SPOKEN])
    decode = ["ffmpeg", "-v", "error", "-i", str(video), "-ac", "1", "-ar", "24000", "-f", "s16le", "-"]
    pcm = subprocess.run(decode, stdout=subprocess.PIPE, check=True).stdout
    shown, read = "", ""
    with (
        OpenAI(api_key=owner.program.api_key, base_url=f"{product.url}/v1") as client,
        client.realtime.connect(extra_query={"intent": "transcription", "name": "Dictation"}) as connection,
    ):
        transcription = {"model": "whisper-1", "language": "en"}
        session: Any = {"type": "transcription", "audio": {"input": {"transcription": transcription}}}
        connection.session.update(session=session)
        for at in range(0, len(pcm), 9_600):
            connection.input_audio_buffer.append(audio=b64encode(pcm[at : at + 9_600]).decode())
        connection.input_audio_buffer.commit()
        for event in connection:
            assert event.type != "error", event
            if event.type == "conversation.item.input_audio_transcription.delta":
                shown += event.delta or ""
            if event.type == "conversation.item.input_audio_transcription.completed":
                read += event.transcript
                break
    assert "weather" in shown
    assert text_of(SPOKEN) in read
    (file,) = [each for each in owner.data("/api/files") if each["name"] == "Dictation"]
    deadline = time.monotonic() + PATIENCE_S
    while owner.data(f"/api/files/{file['slug']}")["status"] != "completed":
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--to", "captions.example.com"), "is no address"),
        (("--to", "URL"), "needs an API key"),
        (("--to", "URL", "--key", "sgk_nonsense"), "API key"),
        (("--to", "URL", "--key", "KEY", "-o", "x.srt"), "--output writes nothing"),
        (("--to", "URL", "--key", "KEY", "--translate-to", "fr"), "French"),
        (("--translate-to", "es"), "needs --to"),
    ],
)
def test_what_cannot_work_gets_a_sentence(
    product: Product, owner: Owner, tmp_path: Path, arguments: tuple[str, ...], sentence: str
) -> None:
    make_video(tmp_path / "talk.mp4", [SPOKEN])
    known = {"URL": product.url, "KEY": owner.program.api_key}
    code, said = sent(tmp_path, "talk.mp4", *(known.get(each, each) for each in arguments))
    assert code == 1, said
    assert sentence in said
    assert "Traceback" not in said
