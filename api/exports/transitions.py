"""Which status of an export may follow which."""

from __future__ import annotations

from api.db.transitions import Transitions
from api.exports.models import Export, ExportStatus

_S = ExportStatus

EXPORT_STATUS = Transitions(
    Export,
    Export.status,
    {
        _S.SUBMITTED: frozenset({_S.PROGRESSING, _S.ERROR, _S.CANCELED}),
        # Another attempt starts in the status the last one left.
        _S.PROGRESSING: frozenset({_S.PROGRESSING, _S.COMPLETE, _S.ERROR, _S.CANCELED}),
        _S.COMPLETE: frozenset(),
        _S.CANCELED: frozenset(),
        _S.ERROR: frozenset(),
    },
)
