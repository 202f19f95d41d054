"""The official client of an OpenAI-compatible endpoint. Whatever goes wrong there becomes a refusal with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import structlog
from pydantic import SecretStr

from cluster.wording.message import Message, Wording
from serve.core.messages import EngineProblem, EngineRefused

if TYPE_CHECKING:
    from openai import OpenAI

log = structlog.get_logger(__name__)

Answer = TypeVar("Answer")

REMOTE = "remote"
"""The device of an engine whose model runs elsewhere."""
RETRIES = 2
"""Of the official client: for a lost connection, 408, 409, 429 and 5xx, after the time that `Retry-After` gives."""
AWAY_S = 15.0
"""When to try again an endpoint that does not answer or is busy."""
LONGEST_WAIT_S = 600.0


@dataclass(frozen=True, slots=True)
class EndpointSentences:
    """What people read when one kind of endpoint fails. They name its settings, and nothing that it answered."""

    no_model: Message
    away: Message
    busy: Message
    bad_key: Message
    incompatible: Message
    no_answer: Wording
    """With `seconds`."""
    unknown_model: Wording
    """With `model`."""
    broken: Wording
    """With `status`."""
    refused: Wording
    """With `status`."""


class EndpointClient:
    """Safe for several threads. `openai` is the client itself, for calls inside `guarded`."""

    def __init__(
        self, url: str, model: str, key: SecretStr | None, *, timeout_s: float, sentences: EndpointSentences
    ) -> None:
        """Without `model` it uses the first one that the endpoint lists."""
        from openai import OpenAI

        secret = key.get_secret_value() if key is not None else "none"
        self.openai: OpenAI = OpenAI(base_url=url, api_key=secret, timeout=timeout_s, max_retries=RETRIES)
        self._timeout_s = timeout_s
        self._sentences = sentences
        self._lock = Lock()
        self._model = model

    @property
    def model(self) -> str:
        """Empty until it is known."""
        return self._model

    def chosen_model(self) -> str:
        """The model's name, after a request where no setting names one. Call it inside `guarded`."""
        with self._lock:
            if not self._model:
                models = self.openai.models.list().data
                if not models:
                    raise _refused(self._sentences.no_model)
                self._model = models[0].id
            return self._model

    def guarded(self, call: Callable[[], Answer]) -> Answer:
        """What the call returns. Raises EngineRefused for whatever goes wrong with the endpoint."""
        import openai

        sentences = self._sentences
        try:
            return call()
        except openai.APITimeoutError:
            raise _busy(sentences.no_answer(seconds=round(self._timeout_s))) from None
        except openai.APIConnectionError:
            raise _busy(sentences.away) from None
        except openai.RateLimitError as limited:
            raise _busy(sentences.busy, _retry_after(limited.response.headers)) from None
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            raise _refused(sentences.bad_key) from None
        except openai.NotFoundError:
            raise _refused(sentences.unknown_model(model=self._model)) from None
        except openai.InternalServerError as failure:
            wait = _retry_after(failure.response.headers)
            raise _busy(sentences.broken(status=str(failure.status_code)), wait) from None
        except openai.APIStatusError as failure:
            raise _refused(sentences.refused(status=str(failure.status_code))) from None
        except EngineRefused:
            raise
        except Exception as failure:
            # The client reads an answer of another form, such as an HTML page, in its own ways. Whatever it raises ends
            # here: a traceback with local variables would show the key.
            log.warning("endpoint.unusable_answer", error=type(failure).__name__)
            raise _refused(sentences.incompatible) from None

    def close(self) -> None:
        self.openai.close()


def _busy(sentence: str, retry_after_s: float | None = None) -> EngineRefused:
    return EngineRefused(EngineProblem.OVERLOADED, sentence, retry_after_s or AWAY_S)


def _refused(sentence: str) -> EngineRefused:
    return EngineRefused(EngineProblem.MODEL_FAILED, sentence)


def _retry_after(headers: Any) -> float | None:
    """Seconds of the header `Retry-After`; None for a date or nothing."""
    try:
        return min(LONGEST_WAIT_S, max(0.5, float(headers.get("retry-after", ""))))
    except ValueError:
        return None
