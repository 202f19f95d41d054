"""The durable record of an upload and the protocol of its storage. The bytes are in `store.py`."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

PARTIAL = "partial"
"""`Upload-Concat` of a part of another upload. A final upload has `final;` and the addresses of its parts."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The owner of an upload, and the hash of the token that may create it."""

    user_id: uuid.UUID
    team_id: uuid.UUID | None
    token_hash: str


@dataclass(frozen=True, slots=True)
class TusRecord:
    """`length` is None while deferred. `offset` counts durable bytes. `metadata` and `concat` are as sent.

    `state` belongs to the store (`store.StoreState`). `object_key` is the object that the upload becomes, and is empty
    for a partial upload.
    """

    id: str
    owner: Owner
    length: int | None
    offset: int
    metadata: str
    expires_at: datetime
    concat: str | None = None
    object_key: str = ""
    state: dict[str, Any] | None = None
    completed: bool = False
    terminated: bool = False

    @property
    def is_whole(self) -> bool:
        return self.length is not None and self.offset == self.length

    @property
    def is_over(self) -> bool:
        return self.completed or self.terminated

    @property
    def is_partial(self) -> bool:
        return self.concat == PARTIAL

    @property
    def is_final(self) -> bool:
        return self.concat is not None and not self.is_partial


class TooManyParts(Exception):
    """The token has started as many partial uploads as it may."""


class TokenSpent(Exception):
    """The token has already created another upload."""


class Records(Protocol):
    async def create(self, record: TusRecord) -> TusRecord:
        """Store a new record, set its object key and spend its token, in one step.

        Repeating a creation with the same token returns the first record, because its answer may have been lost.
        Raises `TokenSpent` if the token created something else. A partial upload does not spend the token, which the
        final one still needs, and is never a repeat, because parts may be alike. `TooManyParts` limits them.
        """
        ...

    async def repeated(self, record: TusRecord) -> TusRecord | None:
        """The record that the same creation made earlier with the same token. Its length may differ."""
        ...

    async def get(self, upload_id: str) -> TusRecord | None: ...

    async def set_length(self, upload_id: str, length: int) -> None:
        """Set a deferred length. A length never changes after that."""
        ...

    async def set_offset(self, upload_id: str, offset: int, state: dict[str, Any] | None, *, known: int) -> bool:
        """Record how many bytes are durable, with the store's state.

        False, without a change, if the upload is complete or terminated, or if its offset is not the `known` one: then
        the caller has lost its lock and another request has continued.
        """
        ...

    async def terminate(self, upload_id: str) -> bool:
        """End the upload for good. False, without a change, if it is complete or terminated."""
        ...


class Completion(Protocol):
    async def __call__(self, record: TusRecord) -> None:
        """Make an upload whose bytes are all durable a stored object, and record that once.

        Called with the upload's lock held, and again after a crash. Raises TusError if the bytes are missing; the
        upload has then failed.
        """
        ...
