"""Downloads one file from the hub to the disk. Arrived data stays, and the next call resumes after it."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

import httpx2
from huggingface_hub import get_session, get_token

from serve.core.models.hub_access import hub_host
from serve.download.hub import BROKE, ENDED_EARLY, HUB_ERROR, THE_FILE, WRONG_CHECKSUM, RemoteFile, problem_of
from serve.download.problems import Damaged, HubAway, Stopped

BLOCK = 1 << 18
_TIMEOUT = httpx2.Timeout(20.0, connect=10.0)
"""Seconds: a connection without data for this long is cut, and the transfer resumes on another."""

Arrived = Callable[[int], None]
"""Called after each block with the bytes of the file on disk."""


def transfer(file: RemoteFile, part: Path, *, arrived: Arrived, stop: threading.Event) -> None:
    """Download the rest of `part` and check it.

    Raises HubAway, HubRefused, Stopped and OSError with `part` kept, Damaged with `part` removed.
    """
    part.parent.mkdir(parents=True, exist_ok=True)
    have = part.stat().st_size if part.exists() else 0
    arrived(min(have, file.size))
    if have < file.size:
        _receive(file, part, have, arrived, stop)
    elif not part.exists():
        part.touch()
    if part.stat().st_size != file.size or _digest(part, file, stop) != file.digest:
        part.unlink()
        arrived(0)
        raise Damaged(WRONG_CHECKSUM(file=file.path))


def _receive(file: RemoteFile, part: Path, have: int, arrived: Arrived, stop: threading.Event) -> None:
    # A compressed answer cannot be resumed in the middle.
    headers = {"Accept-Encoding": "identity"}
    if token := get_token():
        headers["Authorization"] = f"Bearer {token}"
    if have:
        headers["Range"] = f"bytes={have}-"
    try:
        with get_session().stream("GET", file.url, headers=headers, timeout=_TIMEOUT) as answer:
            if answer.status_code >= 400:
                raise _problem(answer, file)
            resumes = answer.status_code == 206 and f"bytes {have}-" in answer.headers.get("Content-Range", "")
            have = have if resumes else 0
            with part.open("r+b" if resumes else "wb") as target:
                target.seek(have)
                for block in answer.iter_raw():
                    # A server that never ends must not fill the disk.
                    target.write(block[: file.size - have])
                    have = min(file.size, have + len(block))
                    arrived(have)
                    if stop.is_set():
                        raise Stopped
                    if have == file.size:
                        break
                target.flush()
                os.fsync(target.fileno())
    except httpx2.HTTPError as error:
        raise HubAway(BROKE(host=hub_host(), error=type(error).__name__)) from error
    if have < file.size:
        raise HubAway(ENDED_EARLY(host=hub_host()))


def _problem(answer: httpx2.Response, file: RemoteFile) -> Exception:
    wait = answer.headers.get("Retry-After", "")
    problem = problem_of(answer.status_code, THE_FILE(name=file.path))
    # The hub redirects to a store by a link that expires: only a refusal by the hub itself is final.
    if isinstance(problem, HubAway) or answer.history:
        return HubAway(HUB_ERROR(host=hub_host(), status=str(answer.status_code)), _seconds(wait))
    return problem


def _seconds(text: str) -> float | None:
    return float(text) if text.isdigit() else None


def _digest(path: Path, file: RemoteFile, stop: threading.Event) -> str:
    # A Git object id is the SHA-1 of a head and the content.
    total = hashlib.sha256() if file.is_large else hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)
    with path.open("rb") as opened:
        while block := opened.read(BLOCK):
            if stop.is_set():
                raise Stopped
            total.update(block)
    return total.hexdigest()
