from __future__ import annotations

from enum import StrEnum


class CaptionAction(StrEnum):
    """What a caption call asks for: the spec's words (section 4), and those of the editor's further tools."""

    EDIT = "Edit"
    DELETE = "Delete"
    MERGE = "Merge"
    ADD = "Add"
    NONE = "None"
    SPLIT = "Split"
    SHIFT = "Shift"
    EXTEND = "Extend"
    UNDO = "Undo"
    REDO = "Redo"


TRANSCRIBE = "Transcribe"
"""The action of the revision in which another transcription takes the place of the captions that were there."""

IMPORT = "Import"
"""The action of the revision that an imported file makes; it is asked for by a call of its own."""
