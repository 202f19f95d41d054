"""The stored objects that rows name now, or ever named."""

from __future__ import annotations

from api.content.files.models import OBJECT_KEYS
from benchmarks.soak.durability.evidence import Evidence

FILE_KEYS = tuple(column.key for column in OBJECT_KEYS)
EXPORT_KEY = "export_key"


def named_now(evidence: Evidence) -> set[str]:
    keys = {file[column] for file in evidence.tables["files"] for column in FILE_KEYS}
    return {key for key in keys | {export[EXPORT_KEY] for export in evidence.tables["exports"]} if key}


def ever_named(evidence: Evidence) -> set[str]:
    """Deleted rows and replaced values included."""
    return named_now(evidence) | {
        values[column]
        for change in evidence.changes
        for values in (change.old, change.new)
        if values is not None
        for column in (*FILE_KEYS, EXPORT_KEY)
        if values.get(column)
    }
