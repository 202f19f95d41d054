"""Argon2 password hashes, made in a thread because one takes about 0.15 s of a core."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

_hasher = PasswordHasher()

# Checked when the account does not exist, so that both answers take the same time: a hash of no known password.
# Written and not made, which would take 0.1 s of each start.
_COSTS = f"m={_hasher.memory_cost},t={_hasher.time_cost},p={_hasher.parallelism}"
_NOBODY = f"$argon2id$v=19${_COSTS}${'A' * 22}${'A' * 43}"


async def hash_password(password: str) -> str:
    return await asyncio.to_thread(_hasher.hash, password)


async def password_matches(password: str, password_hash: str | None) -> bool:
    return await asyncio.to_thread(_matches, password, password_hash)


def _matches(password: str, password_hash: str | None) -> bool:
    try:
        _hasher.verify(password_hash or _NOBODY, password)
    except (VerificationError, InvalidHashError):
        return False
    return password_hash is not None
