"""The checksum extension: compares the bytes of a request with the hash the client sent."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

from starlette.datastructures import Headers

from api.content.uploads.tus.errors import TusError
from cluster.wording.message import Message

ALGORITHMS = ("sha1", "sha256")
HEADER = "Upload-Checksum"
MISMATCH = 460


class Checksum:
    """`digest` is to see every byte of the request."""

    def __init__(self, algorithm: str, expected: bytes) -> None:
        self.algorithm = algorithm
        self.digest = hashlib.new(algorithm, usedforsecurity=False)
        self._expected = expected

    @property
    def matches(self) -> bool:
        return hmac.compare_digest(self.digest.digest(), self._expected)


def from_headers(headers: Headers) -> Checksum | None:
    """The checksum a request carries. 400 for an algorithm we do not know, or a value that cannot be one."""
    text = headers.get(HEADER)
    if text is None:
        return None
    algorithm, _, encoded = text.strip().partition(" ")
    if algorithm not in ALGORITHMS:
        raise TusError(
            400,
            Message(
                "uploads.header_name",
                "The header {header} can name {algorithms}.",
                header=HEADER,
                algorithms=" or ".join(ALGORITHMS),
            ),
        )
    try:
        expected = base64.b64decode(encoded.strip(), validate=True)
    except (binascii.Error, ValueError):
        raise TusError(
            400, Message("uploads.value_not_base64", "The value in {header} is not Base64.", header=HEADER)
        ) from None
    checksum = Checksum(algorithm, expected)
    if len(expected) != checksum.digest.digest_size:
        raise TusError(
            400,
            Message(
                "uploads.value_wrong_length",
                "The value in {header} has the wrong length for {algorithm}.",
                header=HEADER,
                algorithm=algorithm,
            ),
        )
    return checksum


def mismatch() -> TusError:
    return TusError(
        MISMATCH,
        Message(
            "uploads.checksum.wrong",
            "These bytes were damaged on the way and were not kept. Send them again.",
        ),
    )
