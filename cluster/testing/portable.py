"""Results without the folders of the machine that measured: they go on record, and say nothing to others."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]
_FOLDERS = re.compile(
    "|".join(
        [
            re.escape(f"{_CHECKOUT}/"),
            # A temporary folder, and one that a bench made in it.
            rf"{re.escape(tempfile.gettempdir())}/(?:bench-[^/\s\"]+/)?",
            re.escape(f"{Path.home()}/"),
        ]
    )
)


def portable(text: str) -> str:
    """The text with paths below the checkout, the temporary folder and the home folder as relative ones."""
    return _FOLDERS.sub("", text)
