"""Cleans the file names and texts that clients send, so that they are safe to store and show.

They are never used as paths.
"""

from __future__ import annotations

import re

from api.platform.http.limits import FILE_NAME_MAX
from api.platform.http.text import clean_line

TYPE_MAX = 200
TEXT_MAX = 1000
UNNAMED = "noname"
UNNAMED_IMAGE = "image"

KINDS = frozenset({"video", "audio", "image", "document", "other", "unknown"})
"""What a client may send instead of a MIME type."""

_TYPE = re.compile(r"^[\w.+-]+/[\w.+-]+$", re.ASCII)


def clean_text(text: str, limit: int = TEXT_MAX) -> str:
    """One clean line of at most `limit` letters."""
    return clean_line(text)[:limit].strip()


def clean_filename(name: str, filetype: str = "") -> str:
    """The last part of a path, in any script. A name that is too long is shortened before its extension.

    Falls back to `image.ext` for images and to `noname` otherwise, as the pages do.
    """
    text = clean_text(re.split(r"[\\/]", name)[-1], limit=10_000).lstrip(".").strip()
    if not text:
        kind, _, ending = filetype.partition("/")
        return f"{UNNAMED_IMAGE}.{ending}" if kind == "image" and ending else UNNAMED
    if len(text) <= FILE_NAME_MAX:
        return text
    stem, dot, ending = text.rpartition(".")
    if dot and len(ending) <= 10:
        return f"{stem[: FILE_NAME_MAX - len(ending) - 1]}.{ending}"
    return text[:FILE_NAME_MAX]


def clean_filetype(text: str) -> str:
    """A MIME type such as `video/mp4`, one of `KINDS`, or an empty string."""
    text = text.partition(";")[0].strip().lower()
    return text if text in KINDS or (len(text) <= TYPE_MAX and _TYPE.match(text)) else ""


def better_filetype(known: str, sent: str) -> str:
    """The better of two cleaned file types: the new one, unless it would replace a MIME type with a kind."""
    return sent if "/" in sent or (sent and "/" not in known) else known
