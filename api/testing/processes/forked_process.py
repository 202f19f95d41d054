"""Processes of the product that tests start and kill, forked from one that has imported its code.

Importing it takes 3 to 5 s of processor time, and tests start about eighty of them. `api/tests/server/test_commands.py`
runs the commands themselves.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["api.app", "api.dispatcher", "api.testing.jobs.odd_types"])


class ForkedProcess:
    """Runs `target(*arguments)`, a function of a module. Its methods are those of `subprocess.Popen`."""

    def __init__(
        self, target: Callable[..., None], *arguments: Any, env: Mapping[str, str], log: Path | None = None
    ) -> None:
        """`env` is the whole environment. The process writes to the end of `log`, without one to where we write."""
        if log is not None:
            # Tests read it while the process starts.
            log.touch()
        self._process: ForkServerProcess = _FORKS.Process(
            target=_run, args=(dict(env), log, target, arguments), daemon=True
        )
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def send_signal(self, number: int) -> None:
        """Raises ProcessLookupError once it has ended."""
        os.kill(self.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired("a forked process", timeout or 0)
        return code


def command(*arguments: str, env: Mapping[str, str], log: Path | None = None) -> ForkedProcess:
    """`sagascript` with these arguments."""
    return ForkedProcess(_run_command, arguments, env=env, log=log)


def _run(env: Mapping[str, str], log: Path | None, target: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    os.environ.clear()
    os.environ.update(env)
    # The process it was forked from ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if log is not None:
        with log.open("ab") as opened:
            for stream in (sys.stdout, sys.stderr):
                os.dup2(opened.fileno(), stream.fileno())
    target(*arguments)


def _run_command(arguments: tuple[str, ...]) -> None:
    from api.commands import app

    app(list(arguments))
