"""The finished tiny punctuation model, for tests."""

from __future__ import annotations

from pathlib import Path

from serve.testing.tiny_models.archives import unpack

NAME = "punctuation-en"


def punctuation_folder(folder: Path) -> Path:
    """The model, unpacked below `folder`. It knows a dozen English words."""
    return unpack(NAME, folder)
