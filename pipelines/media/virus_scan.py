"""Ask a ClamAV daemon about a file, before anything else reads it and anybody else gets it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from aioclamd import BufferTooLongError, ClamdAsyncClient, ClamdError

from cluster.sizes import MB
from cluster.wording.message import Message, Wording
from pipelines.messages.attempt import StageFailed

STAGE = "scan"
MALWARE = "malware"
PIECE_BYTES = 24 * MB
"""A daemon takes at most `StreamMaxLength` at once: 25 MB before ClamAV 1.0, 100 MB since (clamd.conf(5))."""
OVERLAP_BYTES = 64 * 1024
"""What two pieces share, so that no signature falls between them."""
READ_BYTES = 256 * 1024
TIMEOUT_S = 300.0
"""For one piece. A daemon reads its signatures anew for half a minute and answers nobody meanwhile."""

FOUND = Wording(
    "pipelines.media.malware",
    "The virus scanner found {name} in this file, so it was deleted. Clean it and upload it again.",
)
NO_ANSWER = Message(
    "pipelines.media.no_scanner",
    "The virus scanner of this installation does not answer, and nothing goes on without it. Try again later.",
)
TOO_LONG = Message(
    "pipelines.media.scanner_limit",
    "The virus scanner takes less than 25 MB at once. Raise StreamMaxLength in its clamd.conf.",
)


class _Piece(BytesIO):
    """The client asks for 1 kB at a time, which would cost more than the scan."""

    def read(self, _size: int | None = -1) -> bytes:
        return super().read(READ_BYTES)


def scan(path: Path, address: str) -> Iterator[int]:
    """Scan a file with the daemon at `host:port`; yields how many bytes are done.

    Raises `StageFailed`: with the code `MALWARE` where something was found, else retryable.
    """
    host, _, port = address.rpartition(":")
    client = ClamdAsyncClient(host.strip("[]"), int(port), timeout=TIMEOUT_S)
    done, size = 0, path.stat().st_size
    with path.open("rb") as source:
        while True:
            source.seek(max(0, done - OVERLAP_BYTES))
            _require_clean(client, source.read(done - source.tell() + PIECE_BYTES))
            done = source.tell()
            yield done
            if done >= size:
                return


def _require_clean(client: ClamdAsyncClient, piece: bytes) -> None:
    try:
        answers = asyncio.run(client.instream(_Piece(piece)))
    except BufferTooLongError as error:
        raise StageFailed(STAGE, TOO_LONG, retryable=False) from error
    except (ClamdError, OSError) as error:
        raise StageFailed(STAGE, NO_ANSWER, retryable=True) from error
    status, name = next(iter((answers or {"": ("", "")}).values()))
    if status == "FOUND":
        raise StageFailed(STAGE, FOUND(name=name), retryable=False, code=MALWARE)
    if status != "OK":
        raise StageFailed(STAGE, NO_ANSWER, retryable=True)


def ping(address: str) -> str | None:
    """The version of the daemon at `host:port`, or None where none answers."""
    host, _, port = address.rpartition(":")
    client = ClamdAsyncClient(host.strip("[]"), int(port), timeout=5.0)
    try:
        return str(asyncio.run(client.version()))
    except (ClamdError, OSError):
        return None
