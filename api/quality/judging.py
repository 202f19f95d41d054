"""Where captions are judged: one report at a time in each web process.

A report on 10,000 lines takes about 4 s of CPU, and its thread goes on after its call was given up. Several at once
would leave the event loop so little of Python's lock that the process seems to hang and is started again.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="judging")


async def in_turn(work: Callable[[], T]) -> T:
    """Run `work` in its turn. A call that is cancelled while it waits is never run."""
    context = contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(_THREAD, lambda: context.run(work))
