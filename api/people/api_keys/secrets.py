"""The secret of a key. It has 256 random bits, so a plain hash is enough."""

from __future__ import annotations

import hashlib
import secrets

from api.people.api_keys.limits import SECRET_BYTES, SHOWN_CHARS

MARK = "sgk_"
"""How every key begins, so that scanners of source code recognise one."""


def new_secret() -> str:
    return MARK + secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def prefix_of(secret: str) -> str:
    return secret[: len(MARK) + SHOWN_CHARS]
