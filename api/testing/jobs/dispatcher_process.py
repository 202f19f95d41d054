"""Dispatcher processes that tests start and kill. They are forked from a process that has imported the product's code.

Importing it takes a dispatcher 4 s of processor time, and tests start about thirty of them.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerProcess

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["api.dispatcher", "api.testing.jobs.odd_types"])


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds: of a lease, between its renewals, and without progress until an attempt counts as stalled and ends."""

    lease_s: float = 30
    beat_s: float = 10
    stall_s: tuple[float, float] | None = None


@dataclass
class DispatcherProcess:
    """`sagascript dispatcher` with another `pace` and, if `flows` says so, strange or toy flows.

    It has the environment `env` and writes to the end of `log`. Its methods are those of `subprocess.Popen`.
    """

    env: Mapping[str, str]
    log: Path
    pace: Pace = field(default_factory=Pace)
    flows: str = "real"

    def __post_init__(self) -> None:
        # Tests read it while the process starts.
        self.log.touch()
        self._process: ForkServerProcess = _FORKS.Process(
            target=_run, args=(dict(self.env), self.log, self.pace, self.flows), daemon=True
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
            raise subprocess.TimeoutExpired("dispatcher", timeout or 0)
        return code


def _run(env: Mapping[str, str], log: Path, pace: Pace, flows: str) -> None:
    os.environ.clear()
    os.environ.update(env)
    # The process it was forked from ignores it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with log.open("ab") as opened:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(opened.fileno(), stream.fileno())

    from api import dispatcher as process
    from api.job_types import JOB_TYPES
    from api.jobs import dispatcher, queue, stall
    from api.jobs.attempt import Tools
    from api.settings import ApiSettings
    from api.testing.jobs.odd_types import STRANGE_TYPES, WITH_TOY
    from api.testing.jobs.strange_flows import strange_attempt

    patch = pytest.MonkeyPatch()
    patch.setattr(queue, "LEASE_S", pace.lease_s)
    patch.setattr(dispatcher, "BEAT_S", pace.beat_s)
    if pace.stall_s is not None:
        notice_s, give_up_s = pace.stall_s
        patch.setattr(dispatcher, "STALL_CHECK_S", 0.2)
        patch.setattr(stall, "STALL_NOTICE_S", notice_s)
        patch.setattr(stall, "STALL_GIVE_UP_S", give_up_s)
    if flows == "strange":
        patch.setattr(process, "Tools", partial(Tools, task=strange_attempt))
    process.run(ApiSettings(), {"strange": STRANGE_TYPES, "toy": WITH_TOY}.get(flows, JOB_TYPES))
