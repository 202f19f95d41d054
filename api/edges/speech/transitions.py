from __future__ import annotations

from api.edges.speech.models import SpeechRequest, SpeechState
from api.platform.db.transitions import Transitions

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
