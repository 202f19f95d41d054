"""Replace text in all lines of a track."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.captions.edits.bulk import BulkChange, LineChange, change_lines
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.edits.search import Replacement
from pipelines.captions.limits import BULK_LINES_MAX, LINE_CHARS_MAX
from pipelines.messages.lines import CaptionLine

TOO_LONG = "Some lines would have more than {limit:,} characters after this. Use a shorter replacement."
TOO_MANY = "More than {limit:,} lines would change. Replace in a part of the file, in its editor."


def replace_text(lines: Sequence[CaptionLine], replacement: Replacement) -> tuple[EditResult, int]:
    """The change, and how many matches there were. Locked lines stay. Raises `EditRefused`."""
    texts = [(line, *replacement.of(line.text)) for line in lines if not line.locked]
    found = [(line, text) for line, text, count in texts if count and text != line.text]
    if len(found) > BULK_LINES_MAX:
        raise EditRefused(TOO_MANY.format(limit=BULK_LINES_MAX))
    if any(len(text) > LINE_CHARS_MAX for _, text in found):
        raise EditRefused(TOO_LONG.format(limit=LINE_CHARS_MAX))
    result = change_lines(lines, BulkChange([LineChange(line.id, text) for line, text in found]))
    return result, sum(count for _, _, count in texts)
