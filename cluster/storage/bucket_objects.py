"""Objects in a bucket of an S3-compatible service."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from boto3.s3.transfer import TransferConfig

from cluster.settings import ClusterSettings
from cluster.storage.objects import CHUNK_BYTES, is_key, require_key
from cluster.storage.s3 import Bucket

PART_BYTES = 16 * 1024 * 1024
TRANSFER = TransferConfig(multipart_threshold=PART_BYTES, multipart_chunksize=PART_BYTES, max_concurrency=4)
"""Four parts at a time, so that one file takes at most about 100 MB of memory."""

LINK_S = 4 * 3600
"""A player keeps fetching from the address it first got, so a link must outlast the longest file."""


def bucket_of(settings: ClusterSettings) -> Bucket:
    """The bucket named in the settings."""
    url = urlsplit(settings.storage_url or "")
    prefix = url.path.strip("/")
    return Bucket(
        name=url.netloc,
        prefix=f"{prefix}/" if prefix else "",
        endpoint=settings.storage_endpoint,
        region=settings.storage_region,
        public_endpoint=settings.storage_public_endpoint,
    )


class S3Storage:
    """`Storage` in one bucket. The service guarantees that an object appears only once its last byte has arrived."""

    def __init__(self, bucket: Bucket) -> None:
        self.bucket = bucket

    def put(self, source: Path, key: str) -> int:
        location = self.bucket.location(require_key(key))
        size = source.stat().st_size
        with self.bucket.errors(key):
            self.bucket.client.upload_file(str(source), location["Bucket"], location["Key"], Config=TRANSFER)
        source.unlink()
        return size

    @contextmanager
    def local_copy(self, key: str, folder: Path) -> Iterator[Path]:
        location = self.bucket.location(require_key(key))
        path = folder / f"copy-{uuid.uuid4().hex}"
        try:
            with self.bucket.errors(key):
                self.bucket.client.download_file(location["Bucket"], location["Key"], str(path), Config=TRANSFER)
            yield path
        finally:
            path.unlink(missing_ok=True)

    def local_path(self, key: str) -> None:
        return None

    def link(self, key: str, *, media_type: str, disposition: str | None) -> str | None:
        if self.bucket.public_endpoint is None:
            return None
        params = self.bucket.location(require_key(key)) | {"ResponseContentType": media_type}
        if disposition is not None:
            params["ResponseContentDisposition"] = disposition
        with self.bucket.errors(key):
            return str(self.bucket.public_client.generate_presigned_url("get_object", Params=params, ExpiresIn=LINK_S))

    def read(self, key: str, start: int = 0, stop: int | None = None) -> Generator[bytes]:
        params = self.bucket.location(require_key(key))
        if start or stop is not None:
            params["Range"] = f"bytes={start}-{'' if stop is None else stop - 1}"
        with self.bucket.errors(key):
            body = self.bucket.client.get_object(**params)["Body"]
        return self._chunks(body, key)

    def exists(self, key: str) -> bool:
        try:
            self.size(key)
        except FileNotFoundError:
            return False
        return True

    def size(self, key: str) -> int:
        with self.bucket.errors(key):
            return int(self.bucket.client.head_object(**self.bucket.location(require_key(key)))["ContentLength"])

    def keys(self) -> Iterator[str]:
        yield from (key for key, _, _ in self.bucket.objects("") if is_key(key))

    def delete(self, key: str) -> None:
        with self.bucket.errors(key):
            self.bucket.client.delete_object(**self.bucket.location(require_key(key)))

    def delete_prefix(self, prefix: str) -> None:
        below = require_key(f"{prefix}/x").removesuffix("x")
        self.bucket.delete(key for key, _, _ in self.bucket.objects(below))
        for key, multipart, _ in self.bucket.multiparts(below):
            self.bucket.abort(key, multipart)

    def _chunks(self, body: Any, key: str) -> Generator[bytes]:
        with contextlib.closing(body), self.bucket.errors(key):
            yield from body.iter_chunks(CHUNK_BYTES)
