"""The durable facts of an upload, and what a keeper of them must do. Bytes are elsewhere (`store.py`)."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

PARTIAL = "partial"
"""`Upload-Concat` of an upload that becomes part of another; that of the whole is `final;` and the parts' addresses."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Whom an upload belongs to, and the hash of the token that may create it."""

    user_id: uuid.UUID
    team_id: uuid.UUID | None
    token_hash: str


@dataclass(frozen=True, slots=True)
class TusRecord:
    """`length` is None while deferred; `offset` is how many bytes are durable; `metadata` and `concat` are as sent.

    `state` is what the store remembers (`store.StoreState`); `object_key` names the object a whole upload becomes, and
    is empty for a partial one, which becomes none.
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
    """The token's partial uploads are as many as one may begin."""


class TokenSpent(Exception):
    """The token has created another upload already."""


class Records(Protocol):
    async def create(self, record: TusRecord) -> TusRecord:
        """Keep a new record, give it its object key and spend its token, in one step.

        The same creation repeated with the same token gives the first record again: its answer may have been lost on
        the way. Raises `TokenSpent` when the token created something else. A partial upload does not spend the token,
        which its whole still needs, and never repeats: parts may be alike. `TooManyParts` bounds them.
        """
        ...

    async def repeated(self, record: TusRecord) -> TusRecord | None:
        """What an earlier creation like this one made with the same token; its length may differ."""
        ...

    async def get(self, upload_id: str) -> TusRecord | None: ...

    async def set_length(self, upload_id: str, length: int) -> None:
        """Fix a deferred length. A length that is set is never changed."""
        ...

    async def set_offset(self, upload_id: str, offset: int, state: dict[str, Any] | None, *, known: int) -> bool:
        """Say how many bytes are durable, in which state of the store.

        False, and no change, when the upload is complete or terminated, or when its offset is not the `known` one: then
        the caller's lock was lost and somebody else went on.
        """
        ...

    async def terminate(self, upload_id: str) -> bool:
        """End the upload for good. False, and no change, when it is complete or was terminated before."""
        ...


class Completion(Protocol):
    async def __call__(self, record: TusRecord) -> None:
        """Every byte is durable: make the upload a stored object and say so, once.

        Called with the upload's lock held, and again after a crash. Raises TusError when the bytes are nowhere: the
        upload has failed then.
        """
        ...
