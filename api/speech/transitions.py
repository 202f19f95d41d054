from __future__ import annotations

from api.db.transitions import Transitions
from api.speech.models import SpeechRequest, SpeechState

_S = SpeechState

SPEECH_STATE = Transitions(
    SpeechRequest,
    SpeechRequest.state,
    {
        _S.WORKING: frozenset({_S.DONE, _S.FAILED, _S.CANCELLED}),
        _S.DONE: frozenset(),
        _S.FAILED: frozenset(),
        _S.CANCELLED: frozenset(),
    },
)
