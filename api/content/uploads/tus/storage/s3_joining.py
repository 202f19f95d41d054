"""Joins objects inside the service, as far as its minimum part size allows."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from api.content.uploads.tus.storage.s3_state import LEAST_PART, MIB, S3State
from api.content.uploads.tus.storage.s3_writer import Slice, upload_part
from cluster.storage.bucket_objects import S3Storage
from cluster.storage.s3 import Bucket

COPY_BYTES = 512 * MIB
"""Bytes copied per request, which must answer in time. The service allows 5 GiB."""


@dataclass(frozen=True, slots=True)
class Source:
    key: str
    size: int


class Joining:
    """Add sources in order, then call `finish`. At most 5 MiB per seam pass through this machine."""

    def __init__(self, bucket: Bucket, scratch: Path, key: str) -> None:
        self._bucket = bucket
        self._key = key
        self._seam = tempfile.TemporaryFile(dir=scratch)  # noqa: SIM115 - closed by `close`
        self._held = 0
        """Bytes in the seam: the end of the added sources, too small for a part."""
        with bucket.errors(key):
            begun = bucket.client.create_multipart_upload(**bucket.location(key))
        self._state = S3State(part_size=0, multipart=str(begun["UploadId"]))

    def add(self, source: Source) -> None:
        start = 0
        if self._held:
            start = min(source.size, LEAST_PART - self._held)
            self._hold(source, 0, start)
            if self._held < LEAST_PART:
                return
            self._send_seam()
        if source.size - start < LEAST_PART:
            self._hold(source, start, source.size)
            return
        while start < source.size:
            # The last copy includes a rest that would be too small for a part.
            stop = start + COPY_BYTES if source.size - start >= COPY_BYTES + LEAST_PART else source.size
            self._copy(source, start, stop)
            start = stop

    def finish(self) -> S3State:
        if self._held:
            self._send_seam()
        return self._state

    def close(self) -> None:
        self._seam.close()

    def _hold(self, source: Source, start: int, stop: int) -> None:
        if stop <= start:
            return
        for block in S3Storage(self._bucket).read(source.key, start, stop):
            self._seam.write(block)
        self._seam.flush()
        self._held += stop - start

    def _send_seam(self) -> None:
        etag = upload_part(self._bucket, self._key, self._state, Slice(self._seam.fileno(), 0, self._held))
        self._state = self._state.with_part(etag)
        self._seam.seek(0)
        self._seam.truncate()
        self._held = 0

    def _copy(self, source: Source, start: int, stop: int) -> None:
        with self._bucket.errors(source.key):
            copied = self._bucket.client.upload_part_copy(
                **self._bucket.location(self._key),
                UploadId=self._state.multipart,
                PartNumber=self._state.parts + 1,
                CopySource=self._bucket.location(source.key),
                CopySourceRange=f"bytes={start}-{stop - 1}",
            )
        self._state = self._state.with_part(str(copied["CopyPartResult"]["ETag"]))
