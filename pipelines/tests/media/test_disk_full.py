"""A full disk under the work folder or storage: attempts fail for now, no partial file appears, and all recovers."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.flows.tasks import Failed
from pipelines.media.poster import make_poster
from pipelines.media.probe import probe
from pipelines.messages.attempt import DISK_FULL, Result, StageFailed
from pipelines.testing.media.attempts import Attempted, failure_of, nothing_is_left, result_of
from pipelines.testing.media.samples import ffmpeg

MIB = 1024**2
SRT = "1\n00:00:00,000 --> 00:00:10,000\nHello\n"
FLOWS = {"upload": {}, "encoding": {}, "burned": {"mode": "burned", "srt": SRT}, "soft": {"mode": "soft", "srt": SRT}}


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five seconds whose sound and every copy are larger than an eighth of a megabyte."""
    folder = tmp_path_factory.mktemp("noisy")
    ffmpeg("-f", "lavfi", "-i", "color=gray:s=320x180:r=10:d=5", "-f", "lavfi", "-i", "anoisesrc=r=16000:d=5",
           "-vf", "noise=alls=60:allf=t", "-c:v", "mpeg4", "-q:v", "8", "-c:a", "pcm_s16le", "noisy.mkv",
           cwd=folder)  # fmt: skip
    return folder / "noisy.mkv"


@pytest.fixture
def disk() -> Iterator[Callable[[Path, int], None]]:
    """Mounts a small disk on a folder, which only root may do."""
    mounted: list[Path] = []

    def mount(folder: Path, size: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True)
        if done.returncode != 0:
            pytest.skip("only root may mount a small disk")
        mounted.append(folder)

    yield mount
    for folder in mounted:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def completed(streamed: list[Any]) -> Result:
    result_of(streamed)
    last: Result = streamed[-1]
    return last


def resize(folder: Path, size: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True)


@pytest.mark.long
@pytest.mark.parametrize("flow", FLOWS)
def test_no_room_to_work(
    noisy: Path, attempt: Attempted, installation: LocalStorage, disk: Callable[[Path, int], None], flow: str
) -> None:
    work = get_cluster_settings().work_root
    disk(work, MIB // 8)
    kind = flow if flow in ("upload", "encoding") else "export"
    failed = failure_of(attempt(kind, noisy, **FLOWS[flow]))
    assert (failed.reason, failed.retryable) == (DISK_FULL, True)
    nothing_is_left(installation)
    resize(work, 64 * MIB)
    nothing_is_left(installation, kept=completed(attempt(kind, noisy, fence=2, **FLOWS[flow])))


@pytest.mark.long
def test_no_room_for_the_last_bytes(
    noisy: Path, attempt: Attempted, installation: LocalStorage, disk: Callable[[Path, int], None]
) -> None:
    """ffmpeg writes an index at the end and reports success when only that does not fit."""
    size = result_of(attempt("export", noisy, **FLOWS["soft"]))["size_bytes"]
    work = get_cluster_settings().work_root
    page = 4096
    disk(work, 64 * MIB)
    ended = []
    for pages in range(size // page - 1, size // page + 6):
        resize(work, pages * page)
        last = attempt("export", noisy, **FLOWS["soft"])[-1]
        if isinstance(last, Failed):
            assert (last.reason, last.retryable) == (DISK_FULL, True)
        else:
            assert completed([last]).payload.to_json()["size_bytes"] == size
        ended.append(type(last))
        if isinstance(last, Result):
            break
    assert {Failed, Result} == set(ended)


@pytest.mark.long
@pytest.mark.parametrize("flow", ["upload", "encoding"])
def test_no_room_in_storage(
    noisy: Path, attempt: Attempted, installation: LocalStorage, disk: Callable[[Path, int], None], flow: str
) -> None:
    disk(installation.root, noisy.stat().st_size + MIB // 8)
    failed = failure_of(attempt(flow, noisy, **FLOWS[flow]))
    assert (failed.reason, failed.retryable) == (DISK_FULL, True)
    nothing_is_left(installation)
    resize(installation.root, 64 * MIB)
    nothing_is_left(installation, kept=completed(attempt(flow, noisy, fence=2, **FLOWS[flow])))


def test_an_object_that_did_not_fit_leaves_no_part(
    installation: LocalStorage, disk: Callable[[Path, int], None], tmp_path: Path
) -> None:
    disk(installation.root, MIB // 8)
    (tmp_path / "large").write_bytes(bytes(MIB))
    with pytest.raises(OSError, match="No space left"):
        installation.put(tmp_path / "large", "uploads/2/original")
    assert not installation.exists("uploads/2/original")
    assert [path for path in installation.root.rglob("*") if path.is_file()] == []
    assert (tmp_path / "large").stat().st_size == MIB


def test_a_poster_that_did_not_fit_is_made_later(
    noisy: Path, disk: Callable[[Path, int], None], tmp_path: Path
) -> None:
    disk(tmp_path / "small", 4096)
    with pytest.raises(StageFailed) as failed:
        make_poster(noisy, probe(noisy), tmp_path / "small" / "poster.jpg")
    assert (failed.value.reason, failed.value.retryable) == (DISK_FULL, True)
