"""Ends of attempts: a result, a sentence, a closed stream, a killed ffmpeg, a killed worker."""

from __future__ import annotations

import errno
import os
import pickle
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import ray.exceptions

from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from cluster.storage.opening import open_storage
from cluster.testing.processes import ends_within
from cluster.testing.ray_cluster import ray_cluster
from pipelines.flows.tasks import INTERNAL_ERROR, Failed, attempt_stream, run_attempt
from pipelines.media.export.burn_in import FAILURE
from pipelines.messages.attempt import DISK_FULL, LANGUAGE_UNSUPPORTED, Attempt, Placed, Progress, Result, StageFailed
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.requests import EXPORT, INGEST, ExportRequest, IngestRequest
from pipelines.messages.results import FlowResult, IngestResult
from pipelines.testing.media.attempts import SOURCE_KEY
from pipelines.testing.media.processes import running
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
def export(lengthy: Path, installation: LocalStorage) -> ExportRequest:
    """The request of an export that takes minutes."""
    copy = installation.root.parent / "copy"
    copy.write_bytes(lengthy.read_bytes())
    installation.put(copy, SOURCE_KEY)
    return ExportRequest(file_id="f", source_key=SOURCE_KEY, srt=SRT, language="is-IS")


def test_closing_the_stream_kills_ffmpeg_and_leaves_nothing(export: ExportRequest, installation: LocalStorage) -> None:
    stream = attempt_stream(EXPORT, export, "job", 1)
    work = get_cluster_settings().work_root / "job" / "1"
    under_way = next(value for value in stream if isinstance(value, Progress) and value.done > 0)
    assert under_way.done < under_way.total
    pid = running(work)
    stream.close()
    assert ends_within(pid, 5)
    assert not list(get_cluster_settings().work_root.iterdir())
    assert not (installation.root / "jobs" / "job" / "1").exists()


@pytest.mark.long
def test_a_killed_ffmpeg_is_tried_again(export: ExportRequest) -> None:
    stream = attempt_stream(EXPORT, export, "job", 1)
    next(stream)
    next(stream)
    os.kill(running(get_cluster_settings().work_root / "job" / "1"), signal.SIGKILL)
    assert list(stream)[-1] == Failed("export", FAILURE, retryable=True)


class Surprise(JsonMessage):
    error: str


SURPRISES = {"key": KeyError("surprise"), "disk": OSError(errno.ENOSPC, "No space left")}


def surprising(request: Surprise, attempt: Attempt) -> Iterator[Progress]:
    (attempt.work / "half").write_bytes(b"made")
    open_storage(get_cluster_settings()).put(attempt.work / "half", f"{attempt.storage_prefix}/half")
    yield Progress("working", 1, 2, "bytes")
    raise SURPRISES[request.error]


@pytest.mark.parametrize(("error", "sentence"), [("key", INTERNAL_ERROR), ("disk", DISK_FULL)])
def test_a_surprise_becomes_a_sentence(installation: LocalStorage, error: str, sentence: str) -> None:
    *_, last = attempt_stream(f"{__name__}:{surprising.__name__}", Surprise(error=error), "job", 3)
    assert last == Failed("internal", sentence, retryable=True)
    assert not installation.exists("jobs/job/3/half")
    assert not list(get_cluster_settings().work_root.iterdir())


class Seen(FlowResult):
    chunks: dict[str, dict[str, int]]


def talkative(request: JsonMessage, attempt: Attempt) -> Iterator[Progress | Result]:
    for phase in ("one", "two"):
        for done in range(1000):
            yield Progress(phase, done, 1000, "bytes")
    yield Result(Seen(chunks=attempt.chunks))


def test_progress_is_thinned_within_a_phase_and_never_between(installation: LocalStorage) -> None:
    values = list(attempt_stream(f"{__name__}:{talkative.__name__}", JsonMessage(), "job", 1, {"window-1": {"x": 1}}))
    phases = [value.phase for value in values if isinstance(value, Progress)]
    assert set(phases) == {"one", "two"}
    assert len(phases) < 100
    assert values[-1] == Result(Seen(chunks={"window-1": {"x": 1}}))


def test_a_failure_keeps_its_code_between_processes() -> None:
    failure = StageFailed("transcribe", "Choose a language.", retryable=False, code=LANGUAGE_UNSUPPORTED)
    assert pickle.loads(pickle.dumps(failure)).code == LANGUAGE_UNSUPPORTED


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[1])


async def exhaust(stream: Any) -> None:
    async for reference in stream:
        await reference


@pytest.fixture
def cluster(installation: LocalStorage) -> Iterator[None]:
    with ray_cluster(get_cluster_settings().data_dir):
        yield


@pytest.mark.long
async def test_on_ray_an_attempt_streams_and_a_killed_worker_takes_ffmpeg_with_it(
    cluster: None, media: Path, export: ExportRequest, installation: LocalStorage
) -> None:
    copy = installation.root.parent / "copy"
    copy.write_bytes((media / "tone.mp3").read_bytes())
    installation.put(copy, "uploads/2/original")
    upload = IngestRequest(file_id="f", source_key="uploads/2/original")
    values = [await reference async for reference in run_attempt.remote(INGEST, upload, "short", 1)]
    assert isinstance(values[0], Placed)
    assert isinstance(values[1], Progress)
    assert isinstance(values[-1], Result)
    assert isinstance(values[-1].payload, IngestResult)
    assert installation.exists(str(values[-1].payload.audio_key))

    stream = run_attempt.remote(EXPORT, export, "long", 1)
    assert isinstance(await anext(stream), ray.ObjectRef)
    assert isinstance(await (await anext(stream)), Progress)
    pid = running(get_cluster_settings().work_root / "long" / "1")
    # ffmpeg's parent is the worker that runs the attempt.
    os.kill(parent_of(pid), signal.SIGKILL)
    assert ends_within(pid, 10)
    with pytest.raises(ray.exceptions.RayError):
        await exhaust(stream)
