"""Signs in our ASS scripts that players ignore, and by which our reader finds the captions that a script draws."""

from __future__ import annotations

MADE_BY = "Sagascript"
"""The script's author. Its style is then the file's, not that of each caption."""
NEXT_WORD = "next word"
"""The effect of an event that shows the caption before it again, with its next word lit."""
COMMA = "\u201a"
"""Stands for the comma in names, which ends a field."""
ROW_END = "{fit}\\N"
"""Ends a row for want of room, not because the caption says so."""
