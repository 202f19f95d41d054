"""Where a models folder has what is still on its way."""

from __future__ import annotations

import re

FOLDER = ".download"
"""Folder for unfinished models inside the models folder."""


def safe_name(text: str) -> str:
    """A name of a file for any name of a model."""
    return re.sub(r"[^A-Za-z0-9._-]", "--", text)
