"""The Ray task that runs one attempt of one job and streams what it does to the dispatcher."""

from __future__ import annotations

import errno
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any

import structlog

from cluster.resources import MEDIA_TASK_CPUS, WAITING_TASK_CPUS
from cluster.settings import get_cluster_settings
from cluster.storage import Storage, StorageUnavailable, open_storage
from pipelines.flows.messages import DISK_FULL, Attempt, Chunk, Progress, Result, StageFailed

log = structlog.get_logger(__name__)

Flow = Callable[[dict[str, Any], Attempt], Iterator[Progress | Chunk | Result]]

PROGRESS_EVERY_S = 0.5
"""Progress of one phase crosses to the dispatcher at most this often; each value is one Ray object."""

INTERNAL_ERROR = "Something went wrong on our side while working on this file. Please try again."


STORAGE_AWAY = "storage_away"
STORAGE_DOES_NOT_ANSWER = "The place where files are stored does not answer. This file waits and goes on by itself."


@dataclass(frozen=True, slots=True)
class Failed:
    """The end of an attempt that did not work: a `StageFailed` as a value, since Ray would wrap an exception."""

    stage: str
    reason: str
    retryable: bool
    code: str = ""


def _lazily(module: str) -> Flow:
    """The flow `run` of a module, imported in the worker that runs it and not where tasks are submitted."""

    def flow(request: dict[str, Any], attempt: Attempt) -> Iterator[Progress | Chunk | Result]:
        run: Flow = import_module(module).run
        return run(request, attempt)

    return flow


FLOWS: dict[str, Flow] = {
    "upload": _lazily("pipelines.flows.ingest"),
    "encoding": _lazily("pipelines.flows.encode"),
    "export": _lazily("pipelines.flows.export"),
    "transcribe": _lazily("pipelines.flows.transcribe"),
}

CPUS: dict[str, float] = {
    "upload": MEDIA_TASK_CPUS,
    "encoding": MEDIA_TASK_CPUS,
    "export": MEDIA_TASK_CPUS,
    "transcribe": WAITING_TASK_CPUS,
}
"""Ray CPU slots by kind, for `run_attempt.options(num_cpus=CPUS[kind])`."""


def job_prefix(job_id: str) -> str:
    """The folder of stored objects of all attempts of a job."""
    return f"jobs/{job_id}"


def storage_prefix(job_id: str, fence: int) -> str:
    """The folder of stored objects that belongs to one attempt and to no other."""
    return f"{job_prefix(job_id)}/{fence}"


def attempt_stream(
    kind: str, request: dict[str, Any], job_id: str, fence: int, chunks: dict[str, dict[str, Any]] | None = None
) -> Generator[Progress | Chunk | Result | Failed, None, None]:
    """Run the flow of `kind` and yield what it yields; the last value is one `Result` or one `Failed`.

    The work folder is made before and removed after, in whatever way the attempt ends. Objects that an attempt
    without a result left in storage are removed too: nobody will ever name them.
    """
    settings = get_cluster_settings()
    work = settings.work_root / job_id / str(fence)
    storage = open_storage(settings)
    prefix = storage_prefix(job_id, fence)
    attempt = Attempt(job_id=job_id, fence=fence, work=work, storage_prefix=prefix, chunks=chunks or {})
    began = time.monotonic()
    finished = False
    try:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        for value in _run(FLOWS[kind], request, attempt):
            finished = isinstance(value, Result)
            yield value
            if finished:
                log.info("attempt.completed", kind=kind, job_id=job_id, fence=fence, seconds=_since(began))
    except StageFailed as failed:
        log.warning("attempt.failed", kind=kind, job_id=job_id, fence=fence, stage=failed.stage, reason=failed.reason)
        yield Failed(failed.stage, failed.reason, failed.retryable, failed.code)
    except StorageUnavailable as error:
        log.warning("storage.unavailable", kind=kind, job_id=job_id, fence=fence, error=str(error))
        yield Failed(STORAGE_AWAY, STORAGE_DOES_NOT_ANSWER, True)
    except OSError as error:
        log.exception("attempt.crashed", kind=kind, job_id=job_id, fence=fence)
        yield Failed("internal", DISK_FULL if error.errno in (errno.ENOSPC, errno.EDQUOT) else INTERNAL_ERROR, True)
    except Exception:
        log.exception("attempt.crashed", kind=kind, job_id=job_id, fence=fence)
        yield Failed("internal", INTERNAL_ERROR, True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        _remove_if_empty(work)
        if not finished:
            _remove_objects(storage, prefix)


def _run(flow: Flow, request: dict[str, Any], attempt: Attempt) -> Iterator[Progress | Chunk | Result]:
    """The flow's values up to its result, with progress thinned out, closing the flow at the end."""
    phase = ""
    sent = 0.0
    values = flow(request, attempt)
    if not isinstance(values, Generator):
        raise TypeError("A flow is a generator function.")
    with closing(values):
        for value in values:
            if isinstance(value, Progress):
                now = time.monotonic()
                if value.phase == phase and now - sent < PROGRESS_EVERY_S:
                    continue
                phase, sent = value.phase, now
            yield value
            if isinstance(value, Result):
                return
    raise RuntimeError("The flow ended without a result.")


def _remove_objects(storage: Storage, prefix: str) -> None:
    try:
        storage.delete_prefix(prefix)
    except StorageUnavailable as error:
        # The owner of the job removes them again, and keeps trying.
        log.warning("storage.unavailable", prefix=prefix, error=str(error))


def _remove_if_empty(work: Any) -> None:
    try:
        work.parent.rmdir()
    except OSError:
        return


def _since(began: float) -> float:
    return round(time.monotonic() - began, 2)


class _RunAttempt:
    """Ray is imported when it is first used: a command that runs a flow in its own process never waits for it."""

    def options(self, **options: Any) -> Any:
        return _remote().options(**options)

    def remote(self, *arguments: Any) -> Any:
        return _remote().remote(*arguments)


@lru_cache(maxsize=1)
def _remote() -> Any:
    import ray

    return ray.remote(num_returns="streaming", max_retries=0)(attempt_stream)


run_attempt = _RunAttempt()
"""`attempt_stream` as a Ray task; retries are counted by the job, so Ray makes none."""
