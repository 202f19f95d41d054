from __future__ import annotations

from enum import StrEnum


class CaptionAction(StrEnum):
    """The actions of a caption call, spelled as they travel on the wire."""

    EDIT = "Edit"
    DELETE = "Delete"
    MERGE = "Merge"
    ADD = "Add"
    NONE = "None"
    SPLIT = "Split"
    SHIFT = "Shift"
    EXTEND = "Extend"
    CHANGE = "Change"
    UNDO = "Undo"
    REDO = "Redo"


TRANSCRIBE = "Transcribe"
"""The action of the revision in which a new transcription replaces the existing captions."""

IMPORT = "Import"
"""The action of the revision that an import makes. Imports have a route of their own."""

RESTORE = "Restore"
"""The action of a revision that restores an earlier version, or some of its lines."""

RERUN = "Rerun"
"""The action of a revision that takes what transcribing some lines again found."""

SPEAKERS = "Speakers"
"""The action of a revision that says who speaks: by detection or by a person. It may change names alone."""
TRANSLATE = "Translate"
"""The action of the revision in which a translation replaces lines of its track."""

RECUT = "Recut"
"""The action of the revision that cuts all lines again by a quality profile."""

LIVE = "Live"
"""The action of a revision that adds what was said live behind the other lines. Undo passes over it."""

MEASURE = "Measure"
"""The action of a revision that gives words the times at which they are spoken. Undo passes over it."""

FOLLOW = "Follow"
"""The action of a revision that keeps a translation in step with its source. Undo on the source takes it back."""
