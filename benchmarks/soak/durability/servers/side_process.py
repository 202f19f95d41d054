"""Processes beside `sagascript up`, restarted when they die."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cluster.processes import end_with_parent

START_AGAIN_S = 0.25
STOP_S = 10.0
POLL_S = 0.05


def command(name: str, *arguments: str) -> list[str]:
    """A command of the product, as the supervisor starts it."""
    return [sys.executable, "-P", "-m", "api.main", name, *arguments]


@dataclass
class SideProcess:
    """One such process; `pid` belongs to its current run."""

    name: str
    argv: list[str]
    env: Mapping[str, str]
    log: Path
    process: subprocess.Popen[bytes] | None = None
    _task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process is not None and self.process.poll() is None else None

    def start(self) -> None:
        self._task = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        while True:
            with self.log.open("ab") as log:
                self.process = subprocess.Popen(
                    self.argv,
                    env=dict(self.env),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    preexec_fn=end_with_parent,
                )
            while self.process.poll() is None:
                await asyncio.sleep(POLL_S)
            await asyncio.sleep(START_AGAIN_S)

    async def stop(self) -> None:
        """Stop the process; kill it if that takes too long."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        if self.process is None or self.process.poll() is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGCONT)
            os.killpg(self.process.pid, signal.SIGTERM)
        try:
            await asyncio.to_thread(self.process.wait, STOP_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            await asyncio.to_thread(self.process.wait)
