"""Downloads from a hub that is slow, cut off, wrong or unreachable: complete and correct on the disk, or not at all."""

from __future__ import annotations

import filecmp
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from serve.capability import FetchState, ModelFetch
from serve.download.background import Background
from serve.download.hub import forbids_commercial_use
from serve.download.model import FOLDER, download
from serve.download.supply import ModelSupply, Waits
from serve.messages import EngineInfo
from serve.settings import ModelSettings
from serve.suitability import Machine, suitable
from serve.testing.model_hub import COMMIT, ModelHub, model_hub
from serve.transcription.profile import TranscriptionProfile

QUICK = Waits(first_s=0.01, longest_s=0.05, no_room_s=0.05)
LIMIT_S = 20.0
MODEL = "faster-whisper-base"


@pytest.fixture
def hub(models_root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelHub]:
    with model_hub(models_root / "whisper") as running:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", running.url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield running


@pytest.fixture
def supply() -> Iterator[Callable[..., list[ModelFetch]]]:
    """Starts a supply in a thread and returns the list of its published states; stops it at the end."""
    running: list[tuple[ModelSupply, threading.Thread]] = []

    def start(root: Path, name: str = "base") -> list[ModelFetch]:
        states: list[ModelFetch] = []
        supply = ModelSupply([name], root, publish=states.append, hub_timeout_s=2.0, waits=QUICK)
        thread = threading.Thread(target=supply.run)
        running.append((supply, thread))
        thread.start()
        return states

    yield start
    for supply, thread in running:
        supply.stop()
        thread.join(LIMIT_S)
        assert not thread.is_alive()


def until(states: list[ModelFetch], state: FetchState) -> ModelFetch:
    """The first state of that kind."""
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        found = next((fetch for fetch in states if fetch.state is state), None)
        if found is not None:
            return found
        time.sleep(0.01)
    raise AssertionError(f"It never came to that: {states[-3:]}.")


def assert_whole(root: Path, hub: ModelHub) -> None:
    names = [path.name for path in hub.folder.iterdir()]
    _, mismatch, errors = filecmp.cmpfiles(hub.folder, root / MODEL, names, shallow=False)
    assert (mismatch, errors) == ([], [])
    assert not list((root / FOLDER).glob("*@*"))


def test_a_model_arrives_whole(hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]) -> None:
    states = supply(tmp_path)
    fetch = until(states, FetchState.READY)
    assert (fetch.model, fetch.bytes_done, fetch.bytes_total) == ("base", hub.size, hub.size)
    assert_whole(tmp_path, hub)
    assert not any("card.png" in path for path in hub.requests)


def test_progress_is_seen_while_the_hub_is_slow_and_nothing_half_is_in_place(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.hold_after = 2_000_000
    states = supply(tmp_path)
    deadline = time.monotonic() + LIMIT_S
    while not states or states[-1].bytes_done < 2_000_000:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    fetch = states[-1]
    assert fetch.state is FetchState.RUNNING
    assert fetch.bytes_done < fetch.bytes_total == hub.size
    assert f"{fetch.bytes_done * 100 // hub.size} % of 8 MB" in fetch.sentence
    assert not (tmp_path / MODEL).exists()
    hub.faults.released.set()
    until(states, FetchState.READY)
    assert_whole(tmp_path, hub)


def test_a_cut_connection_resumes_where_it_was(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.cut_after = 1_500_000
    states = supply(tmp_path)
    until(states, FetchState.READY)
    assert_whole(tmp_path, hub)
    assert hub.ranges[0] is None
    # 5.4 MB in pieces of 1.5 MB: no byte is requested twice.
    assert hub.ranges[1:] == [f"bytes={1_500_000 * n}-" for n in range(1, len(hub.ranges))]
    assert len(hub.ranges) == 4


def test_a_file_with_a_wrong_checksum_is_discarded_and_downloaded_again(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.corrupt = 1
    states = supply(tmp_path)
    until(states, FetchState.READY)
    assert_whole(tmp_path, hub)
    assert hub.ranges == [None, None]


def test_a_hub_that_only_sends_damaged_files_fails_with_advice(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.corrupt = 100
    states = supply(tmp_path)
    fetch = until(states, FetchState.FAILED)
    assert "damaged 3 times" in fetch.sentence
    assert "models folder" in fetch.sentence
    assert str(tmp_path) not in fetch.sentence
    assert not (tmp_path / MODEL).exists()


def test_a_model_the_hub_does_not_have_is_refused_with_its_name(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    states = supply(tmp_path, "someone/whisper-is")
    fetch = until(states, FetchState.FAILED)
    assert "does not have" in fetch.sentence
    assert "someone/whisper-is" in fetch.sentence


def test_a_hub_that_is_overloaded_is_waited_for(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.status, hub.faults.failures = 503, 3
    states = supply(tmp_path)
    until(states, FetchState.READY)
    assert_whole(tmp_path, hub)


def test_an_unreachable_hub_gives_advice_and_is_tried_again(
    models_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supply: Callable[..., list[ModelFetch]]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{port}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    states = supply(tmp_path)
    fetch = until(states, FetchState.PAUSED)
    assert fetch.sentence.startswith("No model hub can be reached. Put a faster-whisper model folder in")
    assert "the models folder" in fetch.sentence
    with model_hub(models_root / "whisper", port) as hub:
        until(states, FetchState.READY)
        assert_whole(tmp_path, hub)


def test_a_hub_that_takes_the_connection_and_stays_silent_is_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supply: Callable[..., list[ModelFetch]]
) -> None:
    """As a firewall does."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        fetch = until(supply(tmp_path), FetchState.PAUSED)
    assert fetch.sentence.startswith("No model hub can be reached.")


def test_a_hub_without_checksums_is_refused_before_any_download(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    hub.faults.no_checksums = True
    fetch = until(supply(tmp_path), FetchState.FAILED)
    assert "names no checksum" in fetch.sentence
    assert hub.ranges == []


def test_a_non_commercial_licence_is_never_used(
    models_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supply: Callable[..., list[ModelFetch]]
) -> None:
    with model_hub(models_root / "whisper", licence="cc-by-nc-4.0") as hub:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", hub.url)
        states = supply(tmp_path)
        fetch = until(states, FetchState.FAILED)
    assert "cc-by-nc-4.0" in fetch.sentence
    assert hub.ranges == []
    assert not any(map(forbids_commercial_use, ("mit", "apache-2.0", "")))
    assert all(map(forbids_commercial_use, ("cc-by-nc-sa-4.0", "openrail-non-commercial")))


def test_a_full_disk_is_found_before_any_download(
    hub: ModelHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, supply: Callable[..., list[ModelFetch]]
) -> None:
    """The disk is not really full: the space to spare is more than any disk has."""
    monkeypatch.setattr("serve.download.model.SPARE_BYTES", 2**62)
    states = supply(tmp_path)
    fetch = until(states, FetchState.FAILED)
    assert "free disk space" in fetch.sentence
    assert hub.ranges == []
    monkeypatch.setattr("serve.download.model.SPARE_BYTES", 0)
    until(states, FetchState.READY)


_FETCH = """
import sys, threading, pathlib
from serve.download.model import FOLDER, download
download("base", pathlib.Path(sys.argv[1]), progress=lambda done, total: None, stop=threading.Event())
"""


def fetching(root: Path, hub: ModelHub) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _FETCH, str(root)], env={**os.environ, "HF_ENDPOINT": hub.url, "NO_PROXY": "127.0.0.1"}
    )


def test_a_killed_process_is_continued_by_the_next_one(hub: ModelHub, tmp_path: Path) -> None:
    hub.faults.hold_after = 3_000_000
    first = fetching(tmp_path, hub)
    part = None
    deadline = time.monotonic() + LIMIT_S
    while part is None or part.stat().st_size < 2_000_000:
        assert time.monotonic() < deadline
        part = next((tmp_path / FOLDER).glob("*@*/model.bin"), None)
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.wait()
    kept = part.stat().st_size
    hub.faults.hold_after = None
    assert fetching(tmp_path, hub).wait(LIMIT_S) == 0
    assert_whole(tmp_path, hub)
    assert hub.ranges == [None, f"bytes={kept}-"]


def test_a_new_start_says_what_is_here_already(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    part = tmp_path / FOLDER / f"base@{COMMIT[:12]}" / "model.bin"
    part.parent.mkdir(parents=True)
    part.write_bytes((hub.folder / "model.bin").read_bytes()[:3_000_000])
    states = supply(tmp_path)
    until(states, FetchState.READY)
    assert states[0].bytes_done >= 3_000_000
    assert hub.ranges == ["bytes=3000000-"]
    assert_whole(tmp_path, hub)


def test_two_processes_download_a_model_once(hub: ModelHub, tmp_path: Path) -> None:
    hub.faults.bytes_per_s = 10_000_000
    both = [fetching(tmp_path, hub), fetching(tmp_path, hub)]
    assert [process.wait(2 * LIMIT_S) for process in both] == [0, 0]
    assert_whole(tmp_path, hub)
    assert hub.ranges == [None]


def test_a_present_model_is_not_downloaded(hub: ModelHub, tmp_path: Path) -> None:
    (tmp_path / MODEL).mkdir()
    (tmp_path / MODEL / "model.bin").touch()
    found = download("base", tmp_path, progress=lambda _done, _total: None, stop=threading.Event())
    assert found == tmp_path / MODEL
    assert hub.requests == []


@pytest.mark.parametrize(
    ("machine", "model"),
    [
        (Machine(cores=2, memory=8 * 10**9, gpu_memory=0), "base"),
        (Machine(cores=8, memory=4 * 10**9, gpu_memory=0), "base"),
        (Machine(cores=8, memory=16 * 10**9, gpu_memory=0), "small"),
        (Machine(cores=64, memory=256 * 10**9, gpu_memory=0), "small"),
        (Machine(cores=1, memory=10**9, gpu_memory=0), "tiny"),
        (Machine(cores=8, memory=32 * 10**9, gpu_memory=4 * 10**9), "small"),
        (Machine(cores=8, memory=32 * 10**9, gpu_memory=24 * 10**9), "large-v3-turbo"),
    ],
)
def test_the_model_suits_the_machine(machine: Machine, model: str) -> None:
    assert suitable(["large-v3-turbo", "small", "base", "tiny"], machine) == model


def test_a_list_of_ones_own_is_taken_as_it_is() -> None:
    machine = Machine(cores=2, memory=8 * 10**9, gpu_memory=0)
    assert suitable(["someone/whisper-is"], machine) == "someone/whisper-is"


def engine(name: str, model: str, problem: str = "") -> EngineInfo:
    return EngineInfo("transcription", name, model, "cpu", "Test.", problem=problem)


def test_a_folder_that_somebody_puts_there_ends_the_download(hub: ModelHub, tmp_path: Path) -> None:
    hub.faults.hold_after = 2_000_000
    states: list[ModelFetch] = []
    profile = TranscriptionProfile.model_validate({"models": ["base"], "hub": True})
    background = Background(profile, ModelSettings(allow_hub=True), tmp_path, publish=states.append)
    background.start()
    until(states, FetchState.RUNNING)
    background.observe(engine("pocketsphinx", "en-us"))
    assert states[-1].state is FetchState.RUNNING
    shutil.copytree(hub.folder, tmp_path / "whisper")
    background.observe(engine("whisper", "whisper"))
    background.observe(engine("whisper", "whisper"))
    hub.faults.released.set()
    assert [fetch.sentence for fetch in states if fetch.state is FetchState.READY] == [
        "The speech model “whisper” is ready. New files use it."
    ]


@pytest.mark.parametrize("settings", [ModelSettings(allow_hub=False), ModelSettings(allow_hub=None)])
def test_downloads_that_are_off_are_reported_once_without_a_request(
    hub: ModelHub, tmp_path: Path, settings: ModelSettings
) -> None:
    states: list[ModelFetch] = []
    profile = TranscriptionProfile.model_validate({"models": ["base"], "hub": False})
    Background(profile, settings, tmp_path, publish=states.append).start()
    assert [fetch.state for fetch in states] == [FetchState.OFF]
    assert "the built-in engine transcribes English only" in states[0].sentence
    assert hub.requests == []


def test_a_model_that_cannot_be_loaded_is_reported(tmp_path: Path) -> None:
    states: list[ModelFetch] = []
    supply = ModelSupply(["base"], tmp_path, publish=states.append, hub_timeout_s=1)
    supply.observe(engine("pocketsphinx", "en-us", "The speech model “base” cannot be loaded."), is_complete=False)
    assert (states[-1].state, states[-1].sentence) == (FetchState.FAILED, "The speech model “base” cannot be loaded.")
