"""Call a function of ours in a limited child process: two at a time, and one of each person."""

from __future__ import annotations

import asyncio
import pickle
import sys
import tempfile
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import structlog

from api.platform.http.errors import TooManyRequests, Unavailable
from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess, ProcessFailed
from cluster.wording.message import Message

T = TypeVar("T")

LIMITS = ProcessLimits(cpu_s=30, wall_s=60, memory_bytes=1024**3, address_space_bytes=4 * 1024**3, niceness=2)
"""20,000 lines take 3 s and 250 MB."""
BUSY = Message("captions.busy", "Several changes of many lines are being made just now. Try again in a few seconds.")

_AT_ONCE = 2
_WAITING_MAX = 8
"""A longer queue would make callers wait longer than a call may take."""

log = structlog.get_logger(__name__)

_threads = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="large-change")
_turns: WeakValueDictionary[uuid.UUID, asyncio.Lock] = WeakValueDictionary()
"""Of the people whose changes wait or run."""
_pending: set[asyncio.Future[Any]] = set()


async def in_process(user_id: uuid.UUID, call: Callable[[], T]) -> T:
    """What `call` returns; it and its arguments must be known by name in a module that imports little.

    Hold no session meanwhile. Raises `TooManyRequests` when too many wait, and `Unavailable` when the process fails.
    """
    turn = _turns.get(user_id)
    if turn is None:
        turn = _turns[user_id] = asyncio.Lock()
    async with turn:
        if len(_pending) >= _AT_ONCE + _WAITING_MAX:
            raise TooManyRequests(BUSY, retry_after_s=5)
        running = asyncio.get_running_loop().run_in_executor(_threads, _run, call)
        # Count the process until it has ended, even when the caller disconnects.
        _pending.add(running)
        running.add_done_callback(_end)
        result: T = await asyncio.shield(running)
        return result


def _end(running: asyncio.Future[Any]) -> None:
    _pending.discard(running)
    if not running.cancelled():
        running.exception()


def _run(call: Callable[[], T]) -> T:
    with tempfile.NamedTemporaryFile(prefix="sagascript-captions-") as file:
        pickle.dump(call, file, pickle.HIGHEST_PROTOCOL)
        file.flush()
        command = [sys.executable, "-I", "-m", "api.content.captions.large.child", file.name]
        try:
            with LimitedProcess(command, LIMITS) as process:
                answer = b"".join(process.output())
        except ProcessFailed as failed:
            log.error("captions.large_change_failed", why=failed.why, code=failed.returncode, errors=failed.errors)
            raise Unavailable from failed
    result: T = pickle.loads(answer)
    return result
