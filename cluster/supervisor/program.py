"""What the supervisor needs to know about one child process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

Check = Callable[[], Awaitable[bool]]


@dataclass(frozen=True, slots=True)
class Program:
    """One child. It is ready once `ready_line` appears in its output or, without one, once `check` succeeds.

    `argv` may be a function, called before each start. A start may take as long as it makes progress: it fails once the
    program's processes have used no processor time and written nothing for `start_stall_s`, or have used `start_cpu_s`.

    `needs` must be ready before it starts. When one of `dies_with` ends, this program restarts too, because it holds a
    connection that cannot be renewed. `check` also runs all the time: three failures in a row mean that it hangs.
    `prepare` runs before each start, `on_ready` once it is ready, `on_stopped` after it stopped.

    Its processes share the file descriptors `inherits` with us. With `forks_server` its first process only forks the
    one that serves, and the next one once that is killed. So we kill a server that hangs, and where the first process
    died the server serves on until the next start is ready.
    """

    name: str
    argv: tuple[str, ...] | Callable[[], tuple[str, ...]]
    env: Mapping[str, str]
    needs: tuple[str, ...] = ()
    dies_with: tuple[str, ...] = ()
    ready_line: str | None = None
    check: Check | None = None
    start_stall_s: float = 120.0
    start_cpu_s: float = 60.0
    stop_timeout_s: float = 3.0
    inherits: tuple[int, ...] = ()
    forks_server: bool = False
    prepare: Callable[[], None] | None = None
    on_ready: Callable[[], None] | None = None
    on_stopped: Callable[[], None] | None = None

    @property
    def command(self) -> tuple[str, ...]:
        return self.argv() if callable(self.argv) else self.argv


def answers_http(host: str, port: int, path: str, timeout_s: float = 5.0) -> Check:
    """A check that `path` answers with status 200. Unlike most HTTP clients it never uses a proxy."""

    async def get() -> bool:
        reader, writer = await asyncio.open_connection(host, port)
        try:
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            await writer.drain()
            status = await reader.readline()
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
        return status.split(b" ")[1:2] == [b"200"]

    async def check() -> bool:
        try:
            # Not `wait_for`, see `Child.stop`.
            async with asyncio.timeout(timeout_s):
                return await get()
        except OSError:
            return False

    return check


def answers_tcp(host: str, port: int, timeout_s: float = 3.0) -> Check:
    """A check that something accepts connections there."""

    async def check() -> bool:
        try:
            async with asyncio.timeout(timeout_s):
                _, writer = await asyncio.open_connection(host, port)
        except OSError:
            return False
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
        return True

    return check
