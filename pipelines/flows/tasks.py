"""The Ray task that runs one attempt of one job and streams what it does to the dispatcher."""

from __future__ import annotations

import errno
import shutil
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pkgutil import resolve_name
from typing import Any

import structlog

from cluster.settings import get_cluster_settings
from cluster.storage import Storage, StorageUnavailable, open_storage
from pipelines.flows.json_message import JsonMessage
from pipelines.flows.messages import DISK_FULL, Attempt, Chunk, Progress, Result, StageFailed

log = structlog.get_logger(__name__)

Flow = Callable[[Any, Attempt], Iterator[Progress | Chunk | Result]]

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


def job_prefix(job_id: str) -> str:
    """The folder of stored objects of all attempts of a job."""
    return f"jobs/{job_id}"


def storage_prefix(job_id: str, fence: int) -> str:
    """The folder of stored objects that belongs to one attempt and to no other."""
    return f"{job_prefix(job_id)}/{fence}"


def attempt_stream(
    flow: str, request: JsonMessage, job_id: str, fence: int, chunks: dict[str, dict[str, Any]] | None = None
) -> Generator[Progress | Chunk | Result | Failed, None, None]:
    """Run a flow and yield what it yields; the last value is one `Result` or one `Failed`.

    `flow` is `package.module:function`: a flow is imported in the worker that runs it, not where tasks are submitted.
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
        for value in _run(resolve_name(flow), request, attempt):
            finished = isinstance(value, Result)
            yield value
            if finished:
                log.info("attempt.completed", flow=flow, job_id=job_id, fence=fence, seconds=_since(began))
    except StageFailed as failed:
        log.warning("attempt.failed", flow=flow, job_id=job_id, fence=fence, stage=failed.stage, reason=failed.reason)
        yield Failed(failed.stage, failed.reason, failed.retryable, failed.code)
    except StorageUnavailable as error:
        log.warning("storage.unavailable", flow=flow, job_id=job_id, fence=fence, error=str(error))
        yield Failed(STORAGE_AWAY, STORAGE_DOES_NOT_ANSWER, True)
    except OSError as error:
        log.exception("attempt.crashed", flow=flow, job_id=job_id, fence=fence)
        yield Failed("internal", DISK_FULL if error.errno in (errno.ENOSPC, errno.EDQUOT) else INTERNAL_ERROR, True)
    except Exception:
        log.exception("attempt.crashed", flow=flow, job_id=job_id, fence=fence)
        yield Failed("internal", INTERNAL_ERROR, True)
    finally:
        shutil.rmtree(work, ignore_errors=True)
        _remove_if_empty(work)
        if not finished:
            _remove_objects(storage, prefix)


def _run(flow: Flow, request: JsonMessage, attempt: Attempt) -> Iterator[Progress | Chunk | Result]:
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
