"""Names of downloads, in the form of RFC 6266, and of the files in an archive: unique, and accepted by every system."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote


def attachment(filename: str) -> str:
    """A `Content-Disposition` that saves as `filename`: ASCII for old clients, UTF-8 for all others."""
    name = "".join(letter for letter in filename if letter.isprintable() and letter not in '/\\"').strip() or "download"
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


NAME_BYTES = 150
"""Of UTF-8, so that an ending and a number still fit into the 255 bytes that file systems allow."""

_FORBIDDEN = frozenset('/\\:*?"<>|')
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
"""Windows opens a device instead of a file with such a name, whatever its ending."""


def safe_name(name: str) -> str:
    """The name without what a system does not accept; `file` if nothing is left."""
    composed = unicodedata.normalize("NFC", name)
    accepted = "".join(letter if letter.isprintable() and letter not in _FORBIDDEN else " " for letter in composed)
    joined = " ".join(accepted.split())
    short = joined.encode("utf-8", "ignore")[:NAME_BYTES].decode("utf-8", "ignore").strip(" .")
    return f"_{short}" if _DEVICE.fullmatch(short) else short or "file"


class ArchiveNames:
    """Hands out names for one archive, each once. Windows and macOS do not tell upper and lower case apart."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, name: str, ending: str) -> str:
        """`name` with `ending`, and with a number from 2 on if that was given out before."""
        stem, number = safe_name(name), 1
        while (candidate := f"{stem}{f' ({number})' if number > 1 else ''}{ending}").casefold() in self._taken:
            number += 1
        self._taken.add(candidate.casefold())
        return candidate
