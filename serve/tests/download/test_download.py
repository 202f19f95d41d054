"""Downloads from a hub that is slow, cut off or wrong: complete and correct on the disk, or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.core.capability import FetchState, ModelFetch
from serve.download.model import download
from serve.download.unfinished import FOLDER
from serve.testing.downloads import MODEL, assert_whole, until
from serve.testing.model_hub import COMMIT, ModelHub


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
    deadline = time.monotonic() + PATIENCE_S
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
from serve.download.model import download
from serve.download.unfinished import FOLDER
download("base", pathlib.Path(sys.argv[1]), progress=lambda done, total: None, stop=threading.Event())
"""


def fetching(root: Path, hub: ModelHub) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _FETCH, str(root)], env={**os.environ, "HF_ENDPOINT": hub.url, "NO_PROXY": "127.0.0.1"}
    )


@pytest.mark.long
def test_a_killed_process_is_continued_by_the_next_one(hub: ModelHub, tmp_path: Path) -> None:
    hub.faults.hold_after = 3_000_000
    first = fetching(tmp_path, hub)
    part = None
    deadline = time.monotonic() + PATIENCE_S
    while part is None or part.stat().st_size < 2_000_000:
        assert time.monotonic() < deadline
        part = next((tmp_path / FOLDER).glob("*@*/model.bin"), None)
        time.sleep(0.01)
    first.send_signal(signal.SIGKILL)
    first.wait()
    kept = part.stat().st_size
    hub.faults.hold_after = None
    assert fetching(tmp_path, hub).wait(PATIENCE_S) == 0
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


@pytest.mark.long
def test_two_processes_download_a_model_once(hub: ModelHub, tmp_path: Path) -> None:
    hub.faults.bytes_per_s = 10_000_000
    both = [fetching(tmp_path, hub), fetching(tmp_path, hub)]
    assert [process.wait(PATIENCE_S) for process in both] == [0, 0]
    assert_whole(tmp_path, hub)
    assert hub.ranges == [None]


def test_a_present_model_is_not_downloaded(hub: ModelHub, tmp_path: Path) -> None:
    (tmp_path / MODEL).mkdir()
    (tmp_path / MODEL / "model.bin").touch()
    found = download("base", tmp_path, progress=lambda _done, _total: None, stop=threading.Event())
    assert found == tmp_path / MODEL
    assert hub.requests == []


def test_a_model_that_changed_meanwhile_begins_anew(
    hub: ModelHub, tmp_path: Path, supply: Callable[..., list[ModelFetch]]
) -> None:
    """The file has the same name, and the beginning of what another commit had."""
    former = tmp_path / FOLDER / f"base@{'0' * 12}" / "model.bin"
    former.parent.mkdir(parents=True)
    former.write_bytes(b"x" * 3_000_000)
    until(supply(tmp_path), FetchState.READY)
    assert hub.ranges == [None]
    assert_whole(tmp_path, hub)
    assert not former.parent.exists()
