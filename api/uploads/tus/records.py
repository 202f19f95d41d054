"""The durable facts of an upload, and what a keeper of them must do. Bytes are elsewhere (`store.py`)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom an upload belongs to, and the hash of the token that may create it."""

    user_id: uuid.UUID
    team_id: uuid.UUID | None
    token_hash: str


@dataclass(frozen=True, slots=True)
class TusRecord:
    """`length` is None while deferred; `offset` is how many bytes are safely on disk; `metadata` the header as sent."""

    id: str
    owner: Owner
    length: int | None
    offset: int
    metadata: str
    expires_at: datetime
    completed: bool = False
    terminated: bool = False

    @property
    def is_whole(self) -> bool:
        return self.length is not None and self.offset == self.length


class TokenSpent(Exception):
    """The token has created another upload already."""


class Records(Protocol):
    async def create(self, record: TusRecord) -> TusRecord:
        """Keep a new record and spend its token, in one step.

        The same creation repeated with the same token gives the first record again: its answer may have been lost on
        the way. Raises `TokenSpent` when the token created something else.
        """
        ...

    async def get(self, upload_id: str) -> TusRecord | None: ...

    async def set_length(self, upload_id: str, length: int) -> None:
        """Fix a deferred length. A length that is set is never changed."""
        ...

    async def set_offset(self, upload_id: str, offset: int) -> bool:
        """Say how many bytes are durable. False, and no change, when the upload is complete or terminated."""
        ...

    async def terminate(self, upload_id: str) -> bool:
        """End the upload for good. False, and no change, when it is complete or was terminated before."""
        ...


class Completion(Protocol):
    async def __call__(self, record: TusRecord, sha256: str | None) -> None:
        """Every byte is durable: make the upload a stored object and say so, once.

        Called with the upload's lock held, and again after a crash. `sha256` is None when it is not known yet.
        """
        ...
