from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from cluster.doctor import State


class CheckOut(BaseModel):
    """One finding of `sagascript doctor`. `missing` means that files cannot be transcribed."""

    name: str
    state: State
    sentence: str


class SystemOut(BaseModel):
    """The newest findings, null before the first check ends. `problem` says why the last check could not run."""

    is_running: bool
    checked_at: datetime | None
    checks: list[CheckOut] | None
    problem: str | None
