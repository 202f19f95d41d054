"""A model hub on loopback: the addresses, headers and checksums of the real one, serving each folder as a repository.

`faults` break it while it runs.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_BLOCK = 64 * 1024


@dataclass
class Faults:
    """Faults and their counts. Only bytes of the large file count."""

    cut_after: int | None = None
    """Close the connection after this many bytes of an answer."""
    cuts: int = 10**6
    corrupt: int = 0
    """This many answers with the large file contain one wrong byte."""
    status: int | None = None
    """Answer everything with this status, `failures` times."""
    failures: int = 10**6
    bytes_per_s: int | None = None
    no_checksums: bool = False
    hold_after: int | None = None
    """Stop after this many bytes of the large file until `released` is set."""
    released: threading.Event = field(default_factory=threading.Event)


@dataclass
class ModelHub:
    """A running hub. `ranges` are the Range headers of requests for the large file, None without one."""

    url: str
    folder: Path
    repository: str = "Systran/faster-whisper-base"
    licence: str = "mit"
    others: dict[str, Path] = field(default_factory=dict)
    """More repositories, each with its folder."""
    faults: Faults = field(default_factory=Faults)
    requests: list[str] = field(default_factory=list)
    ranges: list[str | None] = field(default_factory=list)

    def asked_for(self, path: str) -> tuple[str, Path]:
        """The repository and the folder that an address means."""
        return next(
            ((name, folder) for name, folder in self.others.items() if name in path), (self.repository, self.folder)
        )

    @property
    def size(self) -> int:
        return sum(path.stat().st_size for path in self.folder.iterdir())


@contextmanager
def model_hub(folder: Path, port: int = 0, *, licence: str = "mit") -> Iterator[ModelHub]:
    """Serve the files of `folder` until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", port), _Answers)
    server.daemon_threads = True
    hub = ModelHub(f"http://127.0.0.1:{server.server_address[1]}", folder, licence=licence)
    server.hub = hub  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        hub.faults.released.set()
        server.shutdown()
        server.server_close()


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    @property
    def hub(self) -> ModelHub:
        found: ModelHub = self.server.hub  # type: ignore[attr-defined]
        return found

    def do_HEAD(self) -> None:
        self._empty(200)

    def do_GET(self) -> None:
        hub, path = self.hub, urlsplit(self.path).path
        hub.requests.append(path)
        if hub.faults.status is not None and hub.faults.failures > 0:
            hub.faults.failures -= 1
            return self._empty(hub.faults.status)
        repository, folder = hub.asked_for(path)
        if path in (f"/api/models/{repository}", f"/api/models/{repository}/revision/main"):
            return self._listing(repository, folder)
        resolve, store = f"/{repository}/resolve/{COMMIT}/", f"/store/{repository}/"
        if path.startswith(resolve):
            name = path.removeprefix(resolve)
            if not (folder / name).is_file():
                return self._empty(404)
            if _is_large(folder / name):
                # Like the real hub, send large files from a store at another address.
                return self._empty(302, Location=f"{hub.url}{store}{name}?signature=1")
            return self._file(folder / name)
        if path.startswith(store):
            return self._file(folder / path.removeprefix(store))
        return self._empty(404)

    def _listing(self, repository: str, folder: Path) -> None:
        hub = self.hub
        siblings = []
        for path in sorted(folder.iterdir()):
            content = path.read_bytes()
            entry: dict[str, object] = {"rfilename": path.name, "size": len(content)}
            if hub.faults.no_checksums:
                siblings.append(entry)
                continue
            entry["blobId"] = hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
            if _is_large(path):
                digest = hashlib.sha256(content).hexdigest()
                entry["lfs"] = {"size": len(content), "sha256": digest, "pointerSize": 134}
            siblings.append(entry)
        answer = {
            "id": repository,
            "modelId": repository,
            "sha": COMMIT,
            "tags": [f"license:{hub.licence}"],
            "siblings": [{"rfilename": "pictures/card.png", "size": 5, "blobId": "0"}, *siblings],
        }
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _file(self, path: Path) -> None:
        faults, large = self.hub.faults, _is_large(path)
        content, start = path.read_bytes(), 0
        range_header = self.headers.get("Range")
        if large:
            self.hub.ranges.append(range_header)
        if range_header is not None:
            start = int(range_header.removeprefix("bytes=").split("-")[0])
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        body = bytearray(content[start:])
        if large and faults.corrupt > 0:
            faults.corrupt -= 1
            body[len(body) // 2] ^= 0xFF
        if large and faults.cut_after is not None and faults.cuts > 0:
            faults.cuts -= 1
            body = body[: faults.cut_after]
            self.close_connection = True
        self._send(bytes(body), large=large, start=start)

    def _send(self, body: bytes, *, large: bool, start: int) -> None:
        faults, offset = self.hub.faults, start
        for begin in range(0, len(body), _BLOCK):
            block = body[begin : begin + _BLOCK]
            if large and faults.hold_after is not None and offset >= faults.hold_after:
                self.wfile.flush()
                faults.released.wait()
            try:
                self.wfile.write(block)
            except ConnectionError:
                self.close_connection = True
                return
            offset += len(block)
            if large and faults.bytes_per_s:
                time.sleep(len(block) / faults.bytes_per_s)

    def _empty(self, status: int, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing on the terminal."""


def _is_large(path: Path) -> bool:
    return path.name == "model.bin" or path.suffix == ".onnx"
