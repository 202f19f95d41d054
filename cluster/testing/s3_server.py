"""A real S3 service over HTTP for tests: moto's, which can also be down, slow or fail now and then.

Its objects survive an outage. It refuses parts below 5 MiB, as Amazon does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from itertools import count
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import boto3
import pytest
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from moto.s3.models import s3_backends
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

BUCKET = "objects"
REGION = "eu-west-1"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": REGION}


class _Quiet(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        return


class S3Server:
    """Every `fail_every`-th request gets a 500, each after `delay_s`; `calls` records "METHOD path?query"."""

    def __init__(self) -> None:
        self._app: Callable[..., Iterable[bytes]] = DomainDispatcherApplication(create_backend_app)
        self._server: BaseWSGIServer | None = None
        self._thread: threading.Thread | None = None
        self._numbers = count(1)
        self.port = 0
        self.fail_every: int | None = None
        self.delay_s = 0.0
        self.calls: list[str] = []
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def settings(self) -> dict[str, str]:
        """Environment variables that make the product use it."""
        return {
            **CREDENTIALS,
            "SAGASCRIPT_STORAGE_URL": f"s3://{BUCKET}/sagascript",
            "SAGASCRIPT_STORAGE_ENDPOINT": self.url,
        }

    @cached_property
    def client(self) -> Any:
        return boto3.client(
            "s3",
            endpoint_url=self.url,
            aws_access_key_id="test",
            aws_secret_access_key="test",
            region_name=REGION,
        )

    def keys(self) -> list[str]:
        return sorted(found["Key"] for found in self.client.list_objects_v2(Bucket=BUCKET).get("Contents", []))

    def multiparts(self) -> list[str]:
        """Keys of unfinished multipart uploads."""
        found = self.client.list_multipart_uploads(Bucket=BUCKET).get("Uploads", [])
        return sorted(upload["Key"] for upload in found)

    def start(self) -> None:
        self._server = make_server("127.0.0.1", self.port, self._answer, threaded=True, request_handler=_Quiet)
        self.port = self._server.port
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Refuse connections until `start`."""
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
            self._server = None

    def _answer(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        self.calls.append(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}?{environ.get('QUERY_STRING', '')}")
        if self._server is None:
            # Open connections keep working after the listener is closed.
            start_response("503 Service Unavailable", [("Content-Length", "0"), ("Connection", "close")])
            return []
        time.sleep(self.delay_s)
        if self.fail_every is not None and next(self._numbers) % self.fail_every == 0:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start_response("500 Internal Server Error", [("Content-Length", "0")])
            return []
        return self._app(environ, start_response)


@contextmanager
def running_s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[S3Server]:
    """Run the service with an empty bucket, and give this process its credentials."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    s3_backends[DEFAULT_ACCOUNT_ID].reset()
    server = S3Server()
    try:
        server.client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        yield server
    finally:
        server.stop()
