"""Argon2id password hashes, computed in their own threads so that no other work waits for them.

The parameters are those of OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. One hash takes 30 ms of
one core. The library's defaults (64 MiB, four lanes) took 140 ms on all cores.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from api.platform.http.errors import TooManyRequests
from cluster.wording.message import Message

WORKERS = 1 if (os.cpu_count() or 1) <= 2 else 2
MAX_WAITING = 32
"""Hashes running or waiting: about a second of work, using at most 38 MiB at a time."""
RETRY_AFTER_S = 5
BUSY = Message("auth.busy", "Many people are signing in just now. Wait a few seconds and try again.")

_hasher = PasswordHasher(memory_cost=19 * 1024, time_cost=2, parallelism=1)
_threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="argon2")
_waiting = 0

T = TypeVar("T")


async def hash_password(password: str) -> str:
    """The encoded hash. Raises `TooManyRequests` when too many are waiting."""
    return await _run(lambda: _hasher.hash(_bytes(password)))


async def password_matches(password: str, password_hash: str | None) -> bool:
    """Whether the password matches the hash. None takes as long. Raises `TooManyRequests` when too many are waiting."""
    return await _run(lambda: _matches(password, password_hash))


def is_outdated(password_hash: str) -> bool:
    """Whether the hash has other parameters than ours now."""
    return _hasher.check_needs_rehash(password_hash)


async def _run(work: Callable[[], T]) -> T:
    global _waiting
    if _waiting >= MAX_WAITING:
        raise TooManyRequests(BUSY, retry_after_s=RETRY_AFTER_S)
    _waiting += 1
    try:
        return await asyncio.get_running_loop().run_in_executor(_threads, work)
    finally:
        _waiting -= 1


def _matches(password: str, password_hash: str | None) -> bool:
    try:
        _hasher.verify(password_hash or _nobody(), _bytes(password))
    except (VerificationError, InvalidHashError):
        return False
    return password_hash is not None


def _nobody() -> str:
    """A hash of no known password, verified when the account does not exist so that both answers take the same time.

    Written out, because computing it would take as long as a sign-in.
    """
    costs = f"m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}"
    return f"$argon2id$v=19${costs}${'A' * 22}${'A' * 43}"


def _bytes(password: str) -> bytes:
    # JSON can contain half of a surrogate pair, which UTF-8 cannot.
    return password.encode("utf-8", "surrogatepass")
