"""Ends of attempts: a result, a sentence, a closed stream, a killed ffmpeg, a killed worker."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray

from cluster.settings import get_cluster_settings
from cluster.storage import LocalStorage
from pipelines.flows import tasks
from pipelines.flows.messages import DISK_FULL, Attempt, Progress, Result
from pipelines.flows.tasks import INTERNAL_ERROR, Failed, attempt_stream, run_attempt
from pipelines.media.burn_in import FAILURE
from pipelines.testing.media.attempts import SOURCE_KEY
from pipelines.testing.media.processes import ends_within, running
from pipelines.testing.media.samples import ffmpeg

SRT = "1\n00:00:00,500 --> 00:10:00,000\nHello\n"


@pytest.fixture(scope="session")
def lengthy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file made in a second whose export takes minutes."""
    folder = tmp_path_factory.mktemp("lengthy")
    ffmpeg("-f", "lavfi", "-i", "color=gray:s=1280x720:r=50:d=2", "-c:v", "libx264", "-preset", "ultrafast",
           "-pix_fmt", "yuv420p", "part.mp4", cwd=folder)  # fmt: skip
    ffmpeg("-stream_loop", "600", "-i", "part.mp4", "-c", "copy", "lengthy.mp4", cwd=folder)
    return folder / "lengthy.mp4"


@pytest.fixture
def export(lengthy: Path, installation: LocalStorage) -> dict[str, Any]:
    """The request of an export that takes minutes."""
    copy = installation.root.parent / "copy"
    copy.write_bytes(lengthy.read_bytes())
    installation.put(copy, SOURCE_KEY)
    return {"file_id": "f", "source_key": SOURCE_KEY, "language": "is-IS", "mode": "burned", "srt": SRT}


def test_closing_the_stream_kills_ffmpeg_and_leaves_nothing(export: dict[str, Any], installation: LocalStorage) -> None:
    stream = attempt_stream("export", export, "job", 1)
    work = get_cluster_settings().work_root / "job" / "1"
    under_way = next(value for value in stream if isinstance(value, Progress) and value.done > 0)
    assert under_way.done < under_way.total
    pid = running(work)
    stream.close()
    assert ends_within(pid, 5)
    assert not list(get_cluster_settings().work_root.iterdir())
    assert not (installation.root / "jobs" / "job" / "1").exists()


def test_a_killed_ffmpeg_is_tried_again(export: dict[str, Any]) -> None:
    stream = attempt_stream("export", export, "job", 1)
    next(stream)
    next(stream)
    os.kill(running(get_cluster_settings().work_root / "job" / "1"), signal.SIGKILL)
    assert list(stream)[-1] == Failed("export", FAILURE, retryable=True)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(KeyError("surprise"), INTERNAL_ERROR), (OSError(errno.ENOSPC, "No space left"), DISK_FULL)],
)
def test_an_unexpected_error_becomes_a_sentence(
    installation: LocalStorage, monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str
) -> None:
    def flow(request: dict[str, Any], attempt: Attempt) -> Iterator[Progress]:
        (attempt.work / "half").write_bytes(b"made")
        installation.put(attempt.work / "half", f"{attempt.storage_prefix}/half")
        yield Progress("working", 1, 2, "bytes")
        raise error

    monkeypatch.setitem(tasks.FLOWS, "upload", flow)
    *_, last = attempt_stream("upload", {}, "job", 3)
    assert last == Failed("internal", sentence, retryable=True)
    assert not installation.exists("jobs/job/3/half")
    assert not list(get_cluster_settings().work_root.iterdir())


def test_progress_is_thinned_within_a_phase_and_never_between(
    installation: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flow(request: dict[str, Any], attempt: Attempt) -> Iterator[Progress | Result]:
        for phase in ("one", "two"):
            for done in range(1000):
                yield Progress(phase, done, 1000, "bytes")
        yield Result({"chunks": attempt.chunks})

    monkeypatch.setitem(tasks.FLOWS, "upload", flow)
    values = list(attempt_stream("upload", {}, "job", 1, {"window-1": {"x": 1}}))
    phases = [value.phase for value in values if isinstance(value, Progress)]
    assert set(phases) == {"one", "two"}
    assert len(phases) < 100
    assert values[-1] == Result({"chunks": {"window-1": {"x": 1}}})


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])


async def exhaust(stream: Any) -> None:
    async for reference in stream:
        await reference


@pytest.fixture
def cluster(installation: LocalStorage, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        configure_logging=False,
        log_to_driver=False,
        object_store_memory=100_000_000,
    )
    yield
    ray.shutdown()


async def test_on_ray_an_attempt_streams_and_a_killed_worker_takes_ffmpeg_with_it(
    cluster: None, media: Path, export: dict[str, Any], installation: LocalStorage
) -> None:
    copy = installation.root.parent / "copy"
    copy.write_bytes((media / "tone.mp3").read_bytes())
    installation.put(copy, "uploads/2/original")
    upload = {"file_id": "f", "source_key": "uploads/2/original", "filename": "x", "language": "is-IS"}
    values = [await reference async for reference in run_attempt.remote("upload", upload, "short", 1)]
    assert isinstance(values[0], Progress)
    assert isinstance(values[-1], Result)
    assert installation.exists(values[-1].payload["audio_key"])

    stream = run_attempt.remote("export", export, "long", 1)
    first = await anext(stream)
    assert isinstance(await first, Progress)
    pid = running(get_cluster_settings().work_root / "long" / "1")
    # ffmpeg's parent is the worker that runs the attempt.
    os.kill(parent_of(pid), signal.SIGKILL)
    assert ends_within(pid, 10)
    with pytest.raises(ray.exceptions.RayError):
        await exhaust(stream)
