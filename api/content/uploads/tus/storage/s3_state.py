"""The state of an unfinished upload in a bucket: full parts of a multipart upload, then a tail of small objects.

Every part but the last has the same size, so part n always covers the same bytes of the upload. A writer that continues
after losing its lock writes the same bytes as its successor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from api.content.uploads.tus.records import TusRecord
from api.content.uploads.tus.storage.store import StoreState

MIB = 1024 * 1024
LEAST_PART = 5 * MIB
MAX_PARTS = 10_000
"""Amazon's limits: the minimum size of every part but the last, and the most parts of an object."""

USUAL_PART = 8 * MIB
"""For uploads up to 80 GB. Larger parts need fewer requests, smaller ones less scratch space and shorter tails."""

INCOMING = "incoming"
"""Prefix of the objects that uploads store beside their multipart uploads."""


@dataclass(frozen=True, slots=True)
class S3State:
    """`etags` is a digest of the entity tags of all parts in order. `tail` names and sizes the objects after them.

    `stale` names the objects that the previous state needed and no later one does.
    """

    part_size: int
    multipart: str | None = None
    parts: int = 0
    etags: str = ""
    tail: tuple[tuple[str, int], ...] = ()
    stale: tuple[str, ...] = ()

    @staticmethod
    def of(record: TusRecord, max_size: int) -> S3State:
        if record.state is None:
            return S3State(part_size=part_size(max_size if record.length is None else record.length))
        known = dict(record.state)
        tail = tuple((str(name), int(size)) for name, size in known.pop("tail"))
        return S3State(**known | {"tail": tail, "stale": tuple(known["stale"])})

    def as_json(self) -> StoreState:
        return {
            "part_size": self.part_size,
            "multipart": self.multipart,
            "parts": self.parts,
            "etags": self.etags,
            "tail": [list(piece) for piece in self.tail],
            "stale": list(self.stale),
        }

    @property
    def tail_start(self) -> int:
        """The upload's offset at the start of the tail, while every part is full."""
        return self.parts * self.part_size

    def with_part(self, etag: str) -> S3State:
        """The state with one more part, which replaces the tail."""
        stale = self.stale + tuple(name for name, _ in self.tail)
        etags = chained([etag], self.etags)
        return replace(self, parts=self.parts + 1, etags=etags, tail=(), stale=stale)

    def cut(self, count: int) -> S3State:
        """The state with only the first `count` pieces of its tail."""
        return replace(self, tail=self.tail[:count])


def chained(etags: Iterable[str], begun: str = "") -> str:
    """One digest of any number of entity tags. A 20 GB upload has 2,400, and each request writes the state."""
    for etag in etags:
        bare = etag.strip('"')
        begun = hashlib.sha256(f"{begun} {bare}".encode()).hexdigest()
    return begun


def part_size(length: int) -> int:
    """The part size for an object of `length` bytes, in bytes, a multiple of 1 MiB."""
    least = -(-length // MAX_PARTS)
    return max(USUAL_PART, -(-least // MIB) * MIB)


def folder_of(upload_id: str) -> str:
    return f"{INCOMING}/{upload_id}"


def key_of(record: TusRecord) -> str:
    """The key of the multipart upload: the future object's, or for a partial upload one of its own."""
    return record.object_key or f"{folder_of(record.id)}/whole"


def piece_key(upload_id: str, name: str) -> str:
    return f"{folder_of(upload_id)}/tail/{name}"
