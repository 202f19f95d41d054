from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from api.platform.http.pages.language import PageText
from cluster.doctor import State


class CheckOut(BaseModel):
    """One finding of `sagascript doctor`. `missing` means that files cannot be transcribed."""

    name: PageText
    state: State
    sentence: PageText


class SystemOut(BaseModel):
    """The newest findings, null before the first check ends. `problem` says why the last check could not run."""

    is_running: bool
    checked_at: datetime | None
    checks: list[CheckOut] | None
    problem: PageText | None
