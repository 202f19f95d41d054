"""Where the encoded parts of a file's exports are stored."""

from __future__ import annotations

import uuid


def parts_folder(file_id: uuid.UUID | str) -> str:
    """The folder of the stored parts of a file, of all its exports."""
    return f"exports/{file_id}/parts"
