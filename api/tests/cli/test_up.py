"""`sagascript up` as people run it: one URL, the sample's captions, restarts, refusals, and nothing left behind."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from api.edges.cli.installation.demo import demo_password
from api.people.users.restrictions import DEMO_EMAIL
from api.testing.files.sample import short_sample
from api.testing.processes.installation import SAGASCRIPT, Installation
from cluster.processes import children, leftovers
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

# Starts an installation three times. The browser tests of `e2e/product` share one, and test the same there in short.
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("data")
    port = free_port()
    process = subprocess.Popen(
        [*SAGASCRIPT, "up", "--offline", "--port", str(port), "--data-dir", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env={**os.environ, "SAGASCRIPT_ALLOW_HUB": "true"},
    )
    running = Installation(process, folder, port, [])
    yield running
    if process.poll() is None:
        process.kill()
    process.wait()


def test_the_first_start_says_where_it_is_and_shows_the_samples_captions(installation: Installation) -> None:
    assert installation.url in installation.until("is running at")
    login = installation.until("Sign in as")
    assert DEMO_EMAIL in login
    assert demo_password(installation.folder) in login
    assert re.match(r"\s+00:0\d  welcome to the show", installation.until("welcome"))
    assert httpx2.get(f"{installation.url}/api/health", trust_env=False, timeout=PATIENCE_S).json() == {"status": "ok"}
    off = installation.until("Downloads of speech models are off")
    assert f"Put a faster-whisper model folder in {installation.folder / 'models'} to use it" in off
    assert "Its model is loaded at the first request." in installation.until("AI text: ")


def test_a_second_one_on_the_same_folder_or_port_is_refused(installation: Installation, tmp_path: Path) -> None:
    same_folder = sagascript("up", SAGASCRIPT_DATA_DIR=str(installation.folder), SAGASCRIPT_PORT="0")
    assert same_folder.returncode == 1
    assert f"already runs on the data folder {installation.folder}" in said(same_folder)
    same_port = sagascript("up", SAGASCRIPT_DATA_DIR=str(tmp_path), SAGASCRIPT_PORT=str(installation.port))
    assert same_port.returncode == 1
    assert f"Port {installation.port} on 127.0.0.1 cannot be used" in said(same_port)


def test_the_command_joins_the_running_installation(installation: Installation, tmp_path: Path) -> None:
    sample = short_sample(tmp_path)
    spoken = sagascript(*("transcribe", str(sample), "--format", "json", "-o", "-"), **installation.env())
    assert spoken.returncode == 0, spoken.stderr
    document = json.loads(spoken.stdout)
    assert document["language"] == "en-US"
    assert "why every video" in spoken.stdout
    # The offline engine knows English only.
    refused = sagascript(
        *("transcribe", str(sample), "--language", "is-IS", "-o", str(tmp_path / "x.srt")), **installation.env()
    )
    assert refused.returncode == 1
    assert "supports only English" in said(refused)
    assert not (tmp_path / "x.srt").exists()
    assert not list((installation.folder / "objects").glob("local/*"))
    assert not list((installation.folder / "objects").glob(".local*"))


def test_a_killed_web_process_comes_back(installation: Installation) -> None:
    starter = installation.pid("main api")
    (server,) = children(starter)
    os.kill(server, signal.SIGKILL)
    installation.until("web.killed")
    assert httpx2.get(f"{installation.url}/api/health", trust_env=False, timeout=PATIENCE_S).status_code == 200
    os.kill(starter, signal.SIGKILL)
    installation.until("api is running again")
    assert installation.pid("main api") != starter
    assert httpx2.get(f"{installation.url}/api/health", trust_env=False, timeout=PATIENCE_S).status_code == 200


def test_ctrl_c_stops_everything_and_leaves_no_process(installation: Installation) -> None:
    mark = hashlib.sha256(str(installation.folder.resolve()).encode()).hexdigest()[:16]
    sessions = {os.getsid(pid) for pid in leftovers(mark)}
    assert len(sessions) >= 4
    installation.process.send_signal(signal.SIGINT)
    assert installation.process.wait(timeout=PATIENCE_S) == 0
    assert leftovers(mark, sessions) == []
    assert not (installation.folder / "run" / "ray-address").exists()
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", installation.port)) != 0
    log = (installation.folder / "logs" / "dispatcher.log").read_text()
    assert "Traceback" not in log
    dispatched = [json.loads(line) for line in log.splitlines() if "{" in line]
    assert any(entry["event"] == "job.completed" for entry in dispatched)


def test_an_unwritable_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = sagascript("up", SAGASCRIPT_DATA_DIR=str(tmp_path / "file" / "data"))
    assert refused.returncode == 1
    assert "cannot be written" in said(refused)
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("stop_after_s", [1.0, 6.0])
def test_a_stop_while_starting_leaves_no_process(tmp_path: Path, stop_after_s: float) -> None:
    port = free_port()
    process = subprocess.Popen(
        [*SAGASCRIPT, "up", "--port", str(port), "--data-dir", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lock = tmp_path / "run" / "supervisor.lock"
    while not lock.exists() or not lock.read_text():
        time.sleep(0.05)
    time.sleep(stop_after_s)
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, output
    mark = hashlib.sha256(str(tmp_path.resolve()).encode()).hexdigest()[:16]
    assert leftovers(mark) == []


def test_a_stop_after_the_terminal_has_gone_leaves_no_process(tmp_path: Path) -> None:
    """`Stopping …` could not be printed, and everything ran on."""
    command = [*SAGASCRIPT, "up", "--port", str(free_port()), "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.stdout.close()
        process.send_signal(signal.SIGHUP)
        assert process.wait(PATIENCE_S) == 0
    mark = hashlib.sha256(str(tmp_path.resolve()).encode()).hexdigest()[:16]
    assert leftovers(mark) == []


def sagascript(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*SAGASCRIPT, *arguments],
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def said(result: subprocess.CompletedProcess[str]) -> str:
    return " ".join(result.stderr.split())
