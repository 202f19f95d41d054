"""Threads for the blocking work of uploads: writing, syncing and hashing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

THREADS = 16
"""Calls are short: a slow sender occupies no thread, and a fast one releases its thread after each write."""


class Threads:
    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="upload")

    async def run(self, work: Callable[[], T]) -> T:
        """Run `work`. A cancelled caller still waits for it, so that no file is closed during a write."""
        running = asyncio.get_running_loop().run_in_executor(self._pool, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            raise
