"""The headers of tus 1.0.0: names, parsing and error sentences."""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime
from email.utils import format_datetime

from starlette.datastructures import Headers

from api.content.uploads.tus.errors import TusError
from cluster.wording.message import Message, Wording

HEADER_REQUIRED = Wording("uploads.tus.header_required", "The header {name} is required.")

VERSION = "1.0.0"
EXTENSIONS = (
    "creation",
    "creation-with-upload",
    "creation-defer-length",
    "checksum",
    "concatenation",
    "termination",
    "expiration",
)
CONTENT_TYPE = "application/offset+octet-stream"
MAX_METADATA = 8192
"""The most bytes of `Upload-Metadata`: far more than a file name needs, less than servers allow for one header."""

_KEY = re.compile(r"^[\x21-\x2b\x2d-\x7e]+$")
_NUMBER = re.compile(r"^[0-9]{1,18}$")


def number(headers: Headers, name: str) -> int | None:
    """A non-negative integer, or None if the header is absent. 400 for anything else."""
    text = headers.get(name)
    if text is None:
        return None
    if not _NUMBER.match(text):
        raise TusError(
            400,
            Message(
                "uploads.header.not_a_number",
                "The header {name} must be a whole number, zero or more.",
                name=name,
            ),
        )
    return int(text)


def required_number(headers: Headers, name: str) -> int:
    value = number(headers, name)
    if value is None:
        raise TusError(400, HEADER_REQUIRED(name=name))
    return value


def declared_length(headers: Headers) -> int | None:
    """The size a creation declares, or None if it is deferred. 400 unless exactly one of the two headers is present."""
    length = number(headers, "Upload-Length")
    deferred = headers.get("Upload-Defer-Length")
    if deferred is not None and deferred != "1":
        raise TusError(400, Message("uploads.header.defer_length", "The header Upload-Defer-Length can only be 1."))
    if (length is None) == (deferred is None):
        raise TusError(
            400,
            Message(
                "uploads.header.length_or_defer",
                "Send either Upload-Length or Upload-Defer-Length, not both and not none.",
            ),
        )
    return length


def check_version(headers: Headers) -> None:
    if headers.get("Tus-Resumable") != VERSION:
        raise TusError(
            412,
            Message(
                "uploads.header.version",
                "This server speaks version {version} of the upload protocol.",
                version=VERSION,
            ),
            headers={"Tus-Version": VERSION},
        )


def is_upload_body(headers: Headers) -> bool:
    return headers.get("Content-Type", "").partition(";")[0].strip().lower() == CONTENT_TYPE


def parse_metadata(text: str) -> dict[str, str]:
    """`Upload-Metadata` as text by key. Invalid UTF-8 in values is replaced. 400 if malformed."""
    if len(text) > MAX_METADATA:
        raise TusError(
            400,
            Message(
                "uploads.metadata.too_long",
                "The header Upload-Metadata is too long. Shorten the file name.",
            ),
        )
    values: dict[str, str] = {}
    for pair in text.split(",") if text.strip() else []:
        key, _, encoded = pair.strip().partition(" ")
        if not _KEY.match(key) or key in values:
            raise TusError(
                400,
                Message(
                    "uploads.metadata.bad_key",
                    "Each key of Upload-Metadata must be plain text and appear once.",
                ),
            )
        try:
            values[key] = base64.b64decode(encoded.strip(), validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            raise TusError(
                400,
                Message(
                    "uploads.metadata.not_base64",
                    "The value of {key} in Upload-Metadata is not Base64.",
                    key=key,
                ),
            ) from None
    return values


def expires(moment: datetime) -> str:
    """`Upload-Expires` as an HTTP date in whole seconds, GMT."""
    return format_datetime(moment, usegmt=True)
