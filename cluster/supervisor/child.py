"""One running child process: started in its own session, its output read, stopped with all its descendants."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import subprocess
from collections import deque
from collections.abc import Callable

from cluster.processes import end_with_parent, signal_group
from cluster.supervisor.logfile import LogFile
from cluster.supervisor.program import Program

_LONGEST_LINE = 64_000
_POLL_EVERY_S = 0.05
_CHECK_EVERY_S = 2.0
_CHECK_FAILURES = 3


class Child:
    """A running program. `on_line` gets each line of its output, `tail` keeps the last ones, `lines` counts all."""

    def __init__(self, program: Program, log: LogFile, on_line: Callable[[str, str], None]) -> None:
        self.program = program
        self.tail: deque[str] = deque(maxlen=20)
        self._log = log
        self._on_line = on_line
        self.lines = 0
        self._line_seen = asyncio.Event()
        # Not asyncio's subprocess, whose wait() also waits for a grandchild that keeps the output open.
        self._process: subprocess.Popen[bytes] | None = None
        self._reading: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The process id, which is also that of its session and process group."""
        assert self._process is not None
        return self._process.pid

    async def start(self) -> None:
        self._process = _spawn(self.program)
        output = asyncio.StreamReader()
        protocol = asyncio.StreamReaderProtocol(output)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, self._process.stdout)
        self._reading = asyncio.create_task(self._read(output, transport))

    async def ready(self) -> None:
        if self.program.ready_line is not None:
            await self._line_seen.wait()
            return
        while self.program.check is not None and not await self.program.check():  # noqa: ASYNC110
            await asyncio.sleep(0.1)

    async def ended(self) -> int:
        assert self._process is not None
        while (code := self._process.poll()) is None:  # noqa: ASYNC110 - there is no portable event for it
            await asyncio.sleep(_POLL_EVERY_S)
        return code

    async def hung(self) -> None:
        """Return once the program's check has failed several times in a row; never without a check."""
        failures = 0
        while failures < _CHECK_FAILURES:
            await asyncio.sleep(_CHECK_EVERY_S)
            if self.program.check is not None:
                failures = 0 if await self.program.check() else failures + 1

    async def stop(self) -> None:
        """Stop its process group, and kill the group if that takes too long. Safe if it has already ended."""
        if self._process is None:
            return
        signal_group(self.pid, signal.SIGTERM)
        # Not `wait_for`: on Python 3.11 it forgets that its task was cancelled when both happen at once.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.program.stop_timeout_s):
                await self.ended()
        signal_group(self.pid, signal.SIGKILL)
        await self.ended()
        if self._reading is not None:
            # A grandchild that left the group may keep the pipe open.
            await asyncio.wait({self._reading}, timeout=0.2)
            self._reading.cancel()

    async def _read(self, output: asyncio.StreamReader, transport: asyncio.ReadTransport) -> None:
        rest = b""
        try:
            while data := await output.read(65_536):
                self._log.write(data)
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self._take(line)
                if len(rest) > _LONGEST_LINE:
                    self._take(rest)
                    rest = b""
            self._take(rest)
        finally:
            transport.close()

    def _take(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace").rstrip()
        if not text:
            return
        self.tail.append(text)
        self.lines += 1
        if self.program.ready_line is not None and self.program.ready_line in text:
            self._line_seen.set()
        self._on_line(self.program.name, text)


def _spawn(program: Program) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        program.command,
        env=dict(program.env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=end_with_parent,
        pass_fds=program.inherits,
    )
