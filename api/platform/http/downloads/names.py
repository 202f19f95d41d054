"""Names of downloads, in the form of RFC 6266."""

from __future__ import annotations

from urllib.parse import quote


def attachment(filename: str) -> str:
    """A `Content-Disposition` that saves as `filename`: ASCII for old clients, UTF-8 for all others."""
    name = "".join(letter for letter in filename if letter.isprintable() and letter not in '/\\"').strip() or "download"
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
