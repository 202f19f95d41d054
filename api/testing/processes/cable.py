"""A cable between two processes. A cut stops all bytes without closing a connection."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from concurrent.futures import Future
from typing import Any

from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

HOST = "127.0.0.1"
BLOCK = 64 * 1024


class Cable:
    """Listens on a port and forwards bytes to `target`, in an event loop on a separate thread."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="cable", daemon=True)
        self._is_whole = asyncio.Event()
        self._ends: set[asyncio.StreamWriter] = set()
        self.port = 0

    def lay(self) -> None:
        self._thread.start()
        self._in_loop(self._listen())

    def cut(self) -> None:
        self._loop.call_soon_threadsafe(self._is_whole.clear)

    def mend(self) -> None:
        self._loop.call_soon_threadsafe(self._is_whole.set)

    def pull(self) -> None:
        """End all connections, and refuse new ones."""
        self._in_loop(self._close())

    def remove(self) -> None:
        self._in_loop(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _in_loop(self, work: Any) -> None:
        done: Future[None] = asyncio.run_coroutine_threadsafe(work, self._loop)
        done.result(PATIENCE_S)

    async def _listen(self) -> None:
        self._is_whole.set()
        self.port = free_port()
        self._server = await asyncio.start_server(self._carry, HOST, self.port)

    async def _close(self) -> None:
        self._server.close()
        for end in list(self._ends):
            end.transport.abort()
        current = asyncio.current_task()
        carrying = [task for task in asyncio.all_tasks() if task is not current]
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._is_whole.wait()
        self._ends.add(writer)
        with contextlib.suppress(OSError):
            there, back = await asyncio.open_connection(HOST, self._target)
            self._ends.add(back)
            await asyncio.gather(self._pump(reader, back), self._pump(there, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while block := await reader.read(BLOCK):
                await self._is_whole.wait()
                writer.write(block)
                await writer.drain()
        except OSError:
            pass
        finally:
            self._ends.discard(writer)
            writer.close()
