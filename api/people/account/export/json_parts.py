"""The parts of a copy, as bytes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

PAGE = 200
"""Rows that are read in one transaction."""


async def whole(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def json_list(values: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    before = b"["
    async for value in values:
        yield before + b"\n" + json_bytes(value)
        before = b","
    yield b"[]\n" if before == b"[" else b"]\n"


def json_bytes(value: Any) -> bytes:
    return json.dumps(value, default=str, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"
