"""Dispatcher processes that tests start and kill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from api.testing.processes.forked_process import ForkedProcess


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds of a lease and between its renewals. `stall_clock`: a file with the time that stalls go by."""

    lease_s: float = 30
    beat_s: float = 10
    stall_clock: Path | None = None


@dataclass(frozen=True, slots=True)
class SetClock:
    """Stands in for the module `time`. Tests write the seconds."""

    path: Path

    def monotonic(self) -> float:
        return float(self.path.read_text())


class DispatcherProcess(ForkedProcess):
    """`sagascript dispatcher` with another `pace` and, if `flows` says so, strange or toy flows."""

    def __init__(self, env: Mapping[str, str], log: Path, pace: Pace = Pace(), flows: str = "real") -> None:
        super().__init__(_run, pace, flows, env=env, log=log)


def _run(pace: Pace, flows: str) -> None:
    from api import dispatcher as process
    from api.job_types import JOB_TYPES
    from api.platform.jobs import queue
    from api.platform.jobs.attempts import stall
    from api.platform.jobs.attempts.tools import Tools
    from api.platform.jobs.dispatch import dispatcher
    from api.platform.settings import ApiSettings
    from api.testing.jobs.odd_types import STRANGE_TYPES, WITH_TOY
    from api.testing.jobs.strange_flows import strange_attempt

    patch = pytest.MonkeyPatch()
    patch.setattr(queue, "LEASE_S", pace.lease_s)
    patch.setattr(dispatcher, "BEAT_S", pace.beat_s)
    if pace.stall_clock is not None:
        patch.setattr(dispatcher, "STALL_CHECK_S", 0.2)
        patch.setattr(stall, "time", SetClock(pace.stall_clock))
    if flows == "strange":
        patch.setattr(process, "Tools", partial(Tools, task=strange_attempt))
    process.run(ApiSettings(), {"strange": STRANGE_TYPES, "toy": WITH_TOY}.get(flows, JOB_TYPES))
