"""What a stored part of an export carries at its end: what it was made from, and a digest of its bytes.

Readers of MP4 skip a box, and those of Matroska an element, that they do not know.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import BinaryIO

_MATROSKA = b"\x1a\x45\xdf\xa3"
_MARK = b"sagascript-part1"
"""The type of the box as MP4 wants it, 16 bytes."""
_NAME_BYTES, _DIGEST_BYTES = 40, 32
_BODY_BYTES = len(_MARK) + _NAME_BYTES + _DIGEST_BYTES
_BOX = (8 + _BODY_BYTES).to_bytes(4, "big") + b"uuid"
_VOID = bytes((0xEC, 0x40, _BODY_BYTES))


def seal(path: Path, name: str) -> None:
    """Write `name`, the digest of all that the part was made from, and a digest of its bytes behind them."""
    with path.open("r+b") as opened:
        header = _VOID if opened.read(4) == _MATROSKA else _BOX
        digest = _digest(opened, opened.seek(0, 2))
        opened.write(header + _MARK + name.encode("ascii") + digest)


def is_sealed(path: Path, name: str) -> bool:
    """Whether the file is a whole part that was made from what `name` stands for."""
    with path.open("rb") as opened:
        header = _VOID if opened.read(4) == _MATROSKA else _BOX
        body = opened.seek(0, 2) - len(header) - _BODY_BYTES
        if body <= 0:
            return False
        opened.seek(body)
        if opened.read(len(header) + len(_MARK) + _NAME_BYTES) != header + _MARK + name.encode("ascii"):
            return False
        digest = opened.read()
        return _digest(opened, body) == digest


def _digest(opened: BinaryIO, count: int) -> bytes:
    """The digest of the first `count` bytes. The file stands behind them afterwards."""
    digest = hashlib.sha256()
    opened.seek(0)
    while count and (piece := opened.read(min(count, 1024 * 1024))):
        digest.update(piece)
        count -= len(piece)
    return digest.digest()
