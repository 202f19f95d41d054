"""Which status of an export may follow which."""

from __future__ import annotations

from api.exports.models import Export, ExportStatus

_S = ExportStatus

ALLOWED: dict[ExportStatus, frozenset[ExportStatus]] = {
    _S.SUBMITTED: frozenset({_S.PROGRESSING, _S.ERROR, _S.CANCELED}),
    _S.PROGRESSING: frozenset({_S.COMPLETE, _S.ERROR, _S.CANCELED}),
    _S.COMPLETE: frozenset(),
    _S.CANCELED: frozenset(),
    _S.ERROR: frozenset(),
}


def move(export: Export, status: ExportStatus) -> bool:
    """Set the status when the table allows it; says whether it is now that status."""
    current = ExportStatus(export.status)
    if current == status:
        return True
    if status not in ALLOWED[current]:
        return False
    export.status = status
    return True
