"""Which status of an export may follow which."""

from __future__ import annotations

from api.content.exports.models import Export, ExportStatus
from api.platform.db.transitions import Transitions

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
