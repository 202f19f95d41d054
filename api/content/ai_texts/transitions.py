"""Which status of an AI text may follow which."""

from __future__ import annotations

from api.content.ai_texts.models import AiText, AiTextStatus
from api.platform.db.transitions import Transitions

_S = AiTextStatus

AI_TEXT_STATUS = Transitions(
    AiText,
    AiText.status,
    {
        # A text that is written again returns to the version it has when a person cancels that.
        _S.WAITING: frozenset({_S.RUNNING, _S.FAILED, _S.CANCELLED, _S.READY}),
        # Another attempt starts in the status the last one left.
        _S.RUNNING: frozenset({_S.RUNNING, _S.READY, _S.FAILED, _S.CANCELLED}),
        _S.READY: frozenset({_S.WAITING}),
        # A person writes or restores a version of a text whose second writing failed.
        _S.FAILED: frozenset({_S.WAITING, _S.READY}),
        _S.CANCELLED: frozenset({_S.WAITING}),
    },
)

OPEN = (_S.WAITING, _S.RUNNING)
"""A job is going to write the text."""
