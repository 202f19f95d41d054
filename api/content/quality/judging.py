"""Where captions are judged: one report at a time in each web process, and one of each person in the queue.

A report on 10,000 lines takes about 4 s of CPU, and its thread goes on after its call was given up. Several at once
would leave the event loop so little of Python's lock that the process seems to hang and is started again. The queue
holds one report of each person, or somebody who asks for many would keep everybody else waiting.
"""

from __future__ import annotations

import asyncio
import contextvars
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")

_THREAD = ThreadPoolExecutor(1, thread_name_prefix="judging")
_turns: WeakValueDictionary[uuid.UUID, asyncio.Lock] = WeakValueDictionary()
"""Of the people whose reports wait or run."""


async def in_turn(user_id: uuid.UUID, work: Callable[[], T]) -> T:
    """Run `work` in its turn. A call that is cancelled while it waits is never run.

    Hold no session meanwhile: with the calls that wait, it would take the connections of everybody else.
    """
    turn = _turns.get(user_id)
    if turn is None:
        turn = _turns[user_id] = asyncio.Lock()
    context = contextvars.copy_context()
    async with turn:
        return await asyncio.get_running_loop().run_in_executor(_THREAD, lambda: context.run(work))
