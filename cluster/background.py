"""Ends tasks that run beside the requests of a process."""

from __future__ import annotations

import asyncio
from typing import Any

import structlog

log = structlog.get_logger(__name__)

_AGAIN_S = 1.0


async def end(*tasks: asyncio.Task[Any]) -> None:
    """Cancel the tasks and wait until they have ended.

    A driver may answer a cancellation with an error of its own, and a task that goes on after errors then goes on after
    that one too, for ever: so it is cancelled again. What a task failed with before is logged.
    """
    running = {task for task in tasks if not task.done()}
    while running:
        for task in running:
            task.cancel()
        _, running = await asyncio.wait(running, timeout=_AGAIN_S)
    for task in tasks:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("background.failed", task=task.get_name(), exc_info=error)
