"""Which status of a proofreading may follow which."""

from __future__ import annotations

from api.content.ai_texts.models import AiTextStatus
from api.content.ai_texts.proofreading.models import Proofreading
from api.platform.db.transitions import Transitions

_S = AiTextStatus

PROOFREADING_STATUS = Transitions(
    Proofreading,
    Proofreading.status,
    {
        _S.WAITING: frozenset({_S.RUNNING, _S.FAILED, _S.CANCELLED}),
        # Another attempt starts in the status the last one left.
        _S.RUNNING: frozenset({_S.RUNNING, _S.READY, _S.FAILED, _S.CANCELLED}),
        _S.READY: frozenset({_S.WAITING}),
        _S.FAILED: frozenset({_S.WAITING}),
        _S.CANCELLED: frozenset({_S.WAITING}),
    },
)
