"""One bucket of an S3-compatible service: how it is reached, and what its errors mean.

We use boto3 because it alone has every call that resumable uploads need (parts, their copies, their list), signs for
all compatible services and finds credentials in all of Amazon's usual places. Threads may share its clients.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import boto3
import botocore.session
from boto3.exceptions import Boto3Error
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.loaders import Loader
from urllib3.exceptions import HTTPError

from cluster.storage.objects import StorageUnavailable

CONNECT_S = 3.0
ANSWER_S = 20.0
TRIES = 3
"""Waits between tries grow to a few seconds. A service that refuses connections fails after about five seconds."""

CONNECTIONS = 50
DELETE_AT_ONCE = 1000

_DESCRIPTIONS = Loader()
"""Amazon's descriptions of S3, which each client would otherwise read again for 70 ms."""

_NO_OBJECT = frozenset({"NoSuchKey", "404", "NotFound"})
_NO_UPLOAD = frozenset({"NoSuchUpload"})


class NoSuchUpload(Exception):
    """The multipart upload was completed, aborted, or never began."""


@dataclass(frozen=True)
class Bucket:
    """`prefix` precedes every key; it is empty or ends with a slash. Without `endpoint` and `region`: Amazon's.

    `public_endpoint` is where browsers reach the service, if they can.
    """

    name: str
    prefix: str = ""
    endpoint: str | None = None
    region: str | None = None
    public_endpoint: str | None = None

    @cached_property
    def client(self) -> Any:
        return self._client(self.endpoint)

    @cached_property
    def public_client(self) -> Any:
        """Only signs addresses for browsers; nothing is sent through it."""
        return self._client(self.public_endpoint)

    def location(self, key: str) -> dict[str, str]:
        """The arguments that name one object in every call."""
        return {"Bucket": self.name, "Key": f"{self.prefix}{key}"}

    def objects(self, prefix: str) -> Iterator[tuple[str, int, datetime]]:
        """Yield key, size and last change of every object whose key starts with `prefix`."""
        location = self.location(prefix)
        with self.errors(prefix):
            pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=self.name, Prefix=location["Key"])
            for page in pages:
                for found in page.get("Contents", []):
                    yield found["Key"].removeprefix(self.prefix), int(found["Size"]), found["LastModified"]

    def multiparts(self, prefix: str) -> Iterator[tuple[str, str, datetime]]:
        """Yield key, id and start of every running multipart upload whose key starts with `prefix`."""
        location = self.location(prefix)
        with self.errors(prefix):
            pages = self.client.get_paginator("list_multipart_uploads").paginate(
                Bucket=self.name, Prefix=location["Key"]
            )
            for page in pages:
                for found in page.get("Uploads", []):
                    yield found["Key"].removeprefix(self.prefix), found["UploadId"], found["Initiated"]

    def delete(self, keys: Iterable[str]) -> None:
        """Remove objects; missing ones are no error."""
        names = [{"Key": self.location(key)["Key"]} for key in keys]
        for start in range(0, len(names), DELETE_AT_ONCE):
            batch = {"Objects": names[start : start + DELETE_AT_ONCE], "Quiet": True}
            with self.errors("deletion"):
                refused = self.client.delete_objects(Bucket=self.name, Delete=batch).get("Errors")
                if refused:
                    raise StorageUnavailable(f"{refused[0].get('Key')}: {refused[0].get('Message')}")

    def abort(self, key: str, multipart: str) -> None:
        """Abort a multipart upload and remove its parts; no error if it has already ended."""
        with contextlib.suppress(NoSuchUpload), self.errors(key):
            self.client.abort_multipart_upload(**self.location(key), UploadId=multipart)

    def _client(self, endpoint: str | None) -> Any:
        config = Config(
            connect_timeout=CONNECT_S,
            read_timeout=ANSWER_S,
            retries={"mode": "standard", "total_max_attempts": TRIES},
            max_pool_connections=CONNECTIONS,
            tcp_keepalive=True,
            signature_version="s3v4",
            # Self-hosted services seldom have a host name for each bucket.
            s3={"addressing_style": "auto" if endpoint is None else "path"},
        )
        # A new session: creating clients from the shared one is not thread-safe.
        session = botocore.session.get_session()
        session.register_component("data_loader", _DESCRIPTIONS)
        made = boto3.session.Session(botocore_session=session)
        return made.client("s3", endpoint_url=endpoint, region_name=self.region, config=config)

    @contextmanager
    def errors(self, what: str) -> Iterator[None]:
        """Turn the client's errors into `FileNotFoundError`, `NoSuchUpload` or `StorageUnavailable` about `what`."""
        try:
            yield
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", ""))
            if code in _NO_UPLOAD:
                raise NoSuchUpload(what) from error
            if code in _NO_OBJECT:
                self._must_exist()
                raise FileNotFoundError(what) from error
            raise StorageUnavailable(f"{what}: {error}") from error
        except (Boto3Error, BotoCoreError, HTTPError) as error:
            raise StorageUnavailable(f"{what}: {error}") from error

    def _must_exist(self) -> None:
        """Distinguish a missing bucket, which loses no file, from a missing object; the service answers both alike."""
        try:
            self.client.head_bucket(Bucket=self.name)
        except (ClientError, BotoCoreError) as error:
            raise StorageUnavailable(f"bucket {self.name}: {error}") from error
