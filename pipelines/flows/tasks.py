"""The Ray task that runs one attempt of one job and streams its progress and result to the dispatcher."""

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

from cluster.logs.context import start_log_context
from cluster.logs.logging import configure_logging
from cluster.resources import give_back_memory
from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage, StorageUnavailable
from cluster.storage.opening import open_storage
from cluster.wording.message import Message
from pipelines.messages.attempt import DISK_FULL, Attempt, Chunk, Interim, Placed, Progress, Result, StageFailed
from pipelines.messages.json_message import JsonMessage

log = structlog.get_logger(__name__)

Flow = Callable[[Any, Attempt], Iterator[Progress | Chunk | Interim | Result]]

PROGRESS_EVERY_S = 0.5
"""Send progress of one phase to the dispatcher at most this often: each value is one Ray object."""

INTERNAL_ERROR = Message(
    "pipelines.flows.internal_error", "Something went wrong on our side while working on this file. Please try again."
)

MACHINE_STOPPED = Message(
    "pipelines.flows.machine_stopped", "The machine that worked on this file stopped before the work was done."
)

STORAGE_AWAY = "storage_away"
STORAGE_DOES_NOT_ANSWER = Message(
    "pipelines.flows.storage_does_not_answer",
    "The file storage does not answer. This file waits and continues by itself.",
)


@dataclass(frozen=True, slots=True)
class Failed:
    """The end of a failed attempt: a `StageFailed` as a value, because Ray would wrap an exception."""

    stage: str
    reason: str
    retryable: bool
    code: str = ""


def job_prefix(job_id: str) -> str:
    """The prefix of the objects that all attempts of a job store."""
    return f"jobs/{job_id}"


def storage_prefix(job_id: str, fence: int) -> str:
    """The prefix of the objects that one attempt stores, and no other."""
    return f"{job_prefix(job_id)}/{fence}"


def attempt_stream(
    flow: str,
    request: JsonMessage,
    job_id: str,
    fence: int,
    chunks: dict[str, dict[str, Any]] | None = None,
) -> Generator[Progress | Chunk | Interim | Result | Failed, None, None]:
    """Run a flow and yield its values. The last one is a `Result` or a `Failed`.

    `flow` is `package.module:function`, so that only the worker imports it and not the process that submits the task.
    The work folder is created before and removed after the attempt, however it ends. Without a result, the objects that
    the attempt stored are removed too, because nothing will ever refer to them.
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


def _run(flow: Flow, request: JsonMessage, attempt: Attempt) -> Iterator[Progress | Chunk | Interim | Result]:
    """Yield the flow's values up to its result, with progress thinned out, and close the flow at the end."""
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
        # The dispatcher removes them too, and keeps trying.
        log.warning("storage.unavailable", prefix=prefix, error=str(error))


def _remove_if_empty(work: Any) -> None:
    try:
        work.parent.rmdir()
    except OSError:
        return


def _since(began: float) -> float:
    return round(time.monotonic() - began, 2)


class _RunAttempt:
    """Import Ray on first use, so that a command that runs a flow in its own process does not wait for the import."""

    def options(self, **options: Any) -> Any:
        return _remote().options(**options)

    def remote(self, *arguments: Any) -> Any:
        return _remote().remote(*arguments)


@lru_cache(maxsize=1)
def _remote() -> Any:
    import ray

    return ray.remote(num_returns="streaming", max_retries=0)(_attempt_task)


def _attempt_task(
    flow: str,
    request: JsonMessage,
    job_id: str,
    fence: int,
    chunks: dict[str, dict[str, Any]] | None = None,
    request_id: str | None = None,
) -> Generator[Placed | Progress | Chunk | Interim | Result | Failed, None, None]:
    """`attempt_stream` in a process of its own, whose log lines name the job and the request behind it."""
    # Imported here because Ray's import takes most of a second.
    import ray

    from pipelines.flows.draining import drains_on_request

    configure_logging("task")
    start_log_context(job_id=job_id, request_id=request_id)
    yield Placed(ray.get_runtime_context().get_node_id())
    try:
        with closing(attempt_stream(flow, request, job_id, fence, chunks)) as values:
            yield from drains_on_request(values, job_id, fence)
    finally:
        # The worker waits for others, perhaps for days.
        give_back_memory()


run_attempt = _RunAttempt()
"""`attempt_stream` as a Ray task. The job counts retries, so Ray must not retry."""
