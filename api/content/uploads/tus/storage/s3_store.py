"""Stores unfinished uploads as multipart uploads of an S3-compatible bucket, which become objects without a copy.

After a crash the bucket may hold parts and tails that the record does not list. Parts are sent again under the same
numbers, and the rest is removed when the upload is over.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import structlog

from api.content.uploads.tus.records import TusRecord
from api.content.uploads.tus.storage.s3_joining import Joining, Source
from api.content.uploads.tus.storage.s3_state import INCOMING, S3State, chained, folder_of, key_of, piece_key
from api.content.uploads.tus.storage.s3_writer import S3Writer
from api.content.uploads.tus.storage.store import BytesMissing, StoreState, Stray
from cluster.storage.s3 import Bucket, NoSuchUpload

log = structlog.get_logger(__name__)

OBJECTS = "uploads"
"""Prefix of the keys of complete uploads, followed by the upload's id."""


class S3Store:
    """`UploadStore` in `bucket`. `scratch` is a folder of this machine, `max_size` the largest upload in bytes."""

    def __init__(self, bucket: Bucket, scratch: Path, *, max_size: int) -> None:
        self._bucket = bucket
        self._scratch = scratch
        self._max_size = max_size
        scratch.mkdir(parents=True, exist_ok=True)

    def open(self, record: TusRecord) -> S3Writer:
        state = S3State.of(record, self._max_size)
        if record.offset and record.state is None:
            raise BytesMissing(0, None)
        if state.parts:
            self._check_last_part(record, state)
        if state.tail:
            self._check_tail(record, state)
        return S3Writer(self._bucket, self._scratch, record, state)

    def concatenate(self, record: TusRecord, parts: Sequence[TusRecord]) -> StoreState | None:
        sources = [source for part in parts for source in self._sources(part)]
        self._abort_all(key_of(record))
        if not sources:
            return None
        with contextlib.closing(Joining(self._bucket, self._scratch, key_of(record))) as joining:
            for source in sources:
                joining.add(source)
            return joining.finish().as_json()

    def publish(self, record: TusRecord) -> bool:
        if record.offset == 0:
            with self._bucket.errors(record.object_key):
                self._bucket.client.put_object(**self._bucket.location(record.object_key), Body=b"")
            return True
        if record.state is None:
            return False
        state = S3State.of(record, self._max_size)
        try:
            if state.tail:
                state = self._without_tail(record)
            return self._complete(record.object_key, state, size=record.offset)
        except (BytesMissing, FileNotFoundError):
            return False

    def discard(self, record: TusRecord) -> None:
        self._abort_all(key_of(record))
        self._bucket.delete(key for key, _, _ in self._bucket.objects(f"{folder_of(record.id)}/"))

    def strays(self, older_than_s: float) -> Iterator[Stray]:
        before = datetime.now(UTC) - timedelta(seconds=older_than_s)
        for key, _, changed in self._bucket.objects(f"{INCOMING}/"):
            if changed < before:
                yield Stray(upload_id=key.split("/")[1], handle=key)
        for folder in (INCOMING, OBJECTS):
            for key, multipart, begun in self._bucket.multiparts(f"{folder}/"):
                if begun < before:
                    yield Stray(upload_id=key.split("/")[1], handle=f"{key} {multipart}")

    def remove_stray(self, stray: Stray) -> None:
        key, _, multipart = stray.handle.partition(" ")
        if multipart:
            self._bucket.abort(key, multipart)
        else:
            self._bucket.delete([key])

    def free_bytes(self) -> None:
        return None

    def _check_last_part(self, record: TusRecord, state: S3State) -> None:
        """Check that nobody aborted the multipart upload, which loses everything."""
        try:
            found = self._list(key_of(record), state, PartNumberMarker=state.parts - 1, MaxParts=1).get("Parts", [])
        except NoSuchUpload:
            found = []
        if not found or found[0]["PartNumber"] != state.parts or found[0]["Size"] != state.part_size:
            raise BytesMissing(0, None)

    def _check_tail(self, record: TusRecord, state: S3State) -> None:
        sizes = {key: size for key, size, _ in self._bucket.objects(f"{folder_of(record.id)}/")}
        offset = state.tail_start
        for index, (name, size) in enumerate(state.tail):
            if sizes.get(piece_key(record.id, name)) != size:
                raise BytesMissing(offset, state.cut(index).as_json())
            offset += size

    def _without_tail(self, record: TusRecord) -> S3State:
        """The state after the tail has become the last part."""
        writer = self.open(record)
        try:
            writer.flush()
        finally:
            writer.close()
        return writer.state

    def _complete(self, key: str, state: S3State, *, size: int) -> bool:
        """Complete the object from all parts. False if the parts differ from the state or are missing."""
        try:
            parts = [
                {"PartNumber": part["PartNumber"], "ETag": part["ETag"]}
                for part in self._all_parts(key, state)
                if part["PartNumber"] <= state.parts
            ]
            if len(parts) != state.parts or chained(part["ETag"] for part in parts) != state.etags:
                log.error("upload.parts_differ", key=key, known=state.parts, found=len(parts))
                return False
            with self._bucket.errors(key):
                self._bucket.client.complete_multipart_upload(
                    **self._bucket.location(key), UploadId=state.multipart, MultipartUpload={"Parts": parts}
                )
        except NoSuchUpload:
            # Completed before, by a process that died or never received the answer.
            with contextlib.suppress(FileNotFoundError), self._bucket.errors(key):
                return bool(self._bucket.client.head_object(**self._bucket.location(key))["ContentLength"] == size)
            return False
        return True

    def _sources(self, part: TusRecord) -> list[Source]:
        """The objects that hold the bytes of a partial upload, in order."""
        if part.offset == 0:
            return []
        if part.state is None:
            raise BytesMissing(0, None)
        state = S3State.of(part, self._max_size)
        tail = [Source(piece_key(part.id, name), size) for name, size in state.tail]
        whole = part.offset - sum(piece.size for piece in tail)
        if not state.parts:
            return tail
        if not self._complete(key_of(part), state, size=whole):
            raise BytesMissing(0, None)
        return [Source(key_of(part), whole), *tail]

    def _abort_all(self, key: str) -> None:
        for found, multipart, _ in self._bucket.multiparts(key):
            if found == key:
                self._bucket.abort(key, multipart)

    def _all_parts(self, key: str, state: S3State) -> Iterator[dict[str, Any]]:
        marker = 0
        while True:
            page = self._list(key, state, PartNumberMarker=marker)
            yield from page.get("Parts", [])
            if not page.get("IsTruncated"):
                return
            marker = int(page["NextPartNumberMarker"])

    def _list(self, key: str, state: S3State, **which: int) -> dict[str, Any]:
        with self._bucket.errors(key):
            found: dict[str, Any] = self._bucket.client.list_parts(
                **self._bucket.location(key), UploadId=state.multipart, **which
            )
        return found
