"""The threads that blocking work of uploads runs in: writing, syncing, hashing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

THREADS = 16
"""No call lasts long: a slow sender holds no thread, and a fast one gives its thread back after each write."""


class Threads:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="upload")

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work`. A cancelled caller still waits for it: a file is not closed under a running write."""
        running = asyncio.get_running_loop().run_in_executor(self._pool, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            raise
