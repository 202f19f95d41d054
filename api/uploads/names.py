"""File names and texts that strangers send, made safe to store and show: they are never used as paths."""

from __future__ import annotations

import re

NAME_MAX = 255
TYPE_MAX = 200
TEXT_MAX = 1000
UNNAMED = "noname"
UNNAMED_IMAGE = "image"

_TYPE = re.compile(r"^[\w.+-]+/[\w.+-]+$", re.ASCII)


def clean_text(text: str, limit: int = TEXT_MAX) -> str:
    """Without control and direction characters, at most `limit` letters."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()[:limit].strip()


def clean_filename(name: str, filetype: str = "") -> str:
    """The last part of a path someone sent, in any script; the ending stays when the name must be shortened.

    Falls back as the uploader does: `image.ext` for images, else `noname`.
    """
    text = clean_text(re.split(r"[\\/]", name)[-1], limit=10_000).lstrip(".").strip()
    if not text:
        kind, _, ending = filetype.partition("/")
        return f"{UNNAMED_IMAGE}.{ending}" if kind == "image" and ending else UNNAMED
    if len(text) <= NAME_MAX:
        return text
    stem, dot, ending = text.rpartition(".")
    if dot and len(ending) <= 10:
        return f"{stem[: NAME_MAX - len(ending) - 1]}.{ending}"
    return text[:NAME_MAX]


def clean_filetype(text: str) -> str:
    """A MIME type such as `video/mp4`, or nothing."""
    text = text.partition(";")[0].strip().lower()
    return text if len(text) <= TYPE_MAX and _TYPE.match(text) else ""
