"""How calls of the speech API are refused."""

from __future__ import annotations

from collections.abc import Sequence

from api.edges.speech.jobs import UNAVAILABLE
from api.edges.speech.limits import RETRY_QUOTA_S, RETRY_S
from api.edges.speech.models import SpeechRequest, SpeechState
from api.people.api_keys.errors import KEY_QUOTA_EXCEEDED
from api.platform.http.errors import RETRY_LATER, ApiError, Conflict, NotFound, TooManyRequests, Unavailable
from api.platform.realtime.messages import QUOTA_EXCEEDED
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED
from pipelines.messages.speakers import BAD_REFERENCE

CANCELLED = "This call was cancelled, so there is no text. Make it again."
BUSY = "Too many calls wait for their text at once. Try again in {seconds} seconds."
NO_SUCH_MODEL = "There is no model `{name}` here. There are: {names}."


FIELD_OF = {BAD_REFERENCE: "known_speaker_references"}
"""The field that a failure is about, by its code; the file for others."""


class BadCall(ApiError):
    """Something in the call is wrong, and making it again changes nothing."""

    status_code = 400

    @classmethod
    def field(cls, name: str, sentence: str) -> BadCall:
        return cls(sentence, errors={name: [sentence]})


class LanguageUnsupported(BadCall):
    """The loaded speech model cannot transcribe the language."""

    code = LANGUAGE_UNSUPPORTED

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, errors={"language": [sentence]})


class ModelNotFound(NotFound):
    code = "model_not_found"

    def __init__(self, name: str, others: Sequence[str]) -> None:
        """`others`: the models that there are."""
        sentence = NO_SUCH_MODEL.format(name=name, names=", ".join(f"`{each}`" for each in others))
        super().__init__(sentence, errors={"model": [sentence]})


class Busy(TooManyRequests):
    code = "rate_limit_exceeded"

    def __init__(self) -> None:
        super().__init__(BUSY.format(seconds=RETRY_S), retry_after_s=RETRY_S)


class MinutesUsedUp(TooManyRequests):
    code = "insufficient_quota"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, retry_after_s=RETRY_QUOTA_S)
        # OpenAI's own clients would send the file twice more.
        self.headers = {**(self.headers or {}), "x-should-retry": "false"}


def error_of(request: SpeechRequest) -> ApiError:
    """Why a request that ended has no text."""
    if request.state == SpeechState.CANCELLED:
        return Conflict(CANCELLED)
    sentence = request.error or Unavailable.message
    if request.error_code in (QUOTA_EXCEEDED, KEY_QUOTA_EXCEEDED):
        return MinutesUsedUp(sentence)
    if request.error_code == UNAVAILABLE:
        return Unavailable(sentence, headers=RETRY_LATER)
    return BadCall.field(FIELD_OF.get(request.error_code or "", "file"), sentence)
