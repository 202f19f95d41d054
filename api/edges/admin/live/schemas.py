from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import BaseModel


class LiveReplica(BaseModel):
    """The process that follows the speech. `engine` is for people; it and `node` are empty until it has reported."""

    id: str
    node: str
    engine: str


class RunningLive(BaseModel):
    """A live recording that runs. Its words are shown to nobody here.

    `behind_ms` is how much of its sound has not been read yet, and `quiet_ms` how long none has come; `behind_ms` is
    null before the reading begins. `reserved_ms` are minutes of the plan taken so far.
    """

    id: uuid.UUID
    name: str
    language: str
    owner: str
    team: str | None
    began_at: datetime
    recorded_ms: int
    reserved_ms: int
    quiet_ms: int
    behind_ms: int | None
    readers_link: bool
    replica: LiveReplica | None
