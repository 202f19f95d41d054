"""A chat model behind any OpenAI-compatible endpoint: vLLM, SGLang, Ollama, a hosted service."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TYPE_CHECKING, Any

import structlog

from cluster.wording.message import Message, Wording
from serve.chat.messages import ChatAnswer, ChatRequest
from serve.chat.model import ChatOutcome, too_long
from serve.chat.records import LINES_FORM, OBJECT_FORM, list_schema, with_form
from serve.chat.settings import Endpoint
from serve.core.messages import EngineProblem, EngineRefused

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

log = structlog.get_logger(__name__)

REQUESTS_AT_ONCE = 16
RETRIES = 2
"""Of the official client, for 408, 409, 429 and 5xx, after the time that `Retry-After` gives."""
AWAY_S = 15.0
"""When to try again an endpoint that does not answer or is busy."""
BYTES_PER_TOKEN = 2.5
"""A low estimate, since the tokenizer is elsewhere: English has about 4 bytes a token, Icelandic 2.5 to 3."""
MESSAGE_TOKENS = 8

NO_MODEL = Message("chat.no_model", "The text endpoint lists no model. Set SAGASCRIPT_CHAT_MODEL.")
AWAY = Message("chat.away", "The text endpoint cannot be reached.")
BUSY = Message("chat.busy", "The text endpoint takes no more requests at the moment.")
BAD_KEY = Message("chat.bad_key", "The text endpoint rejects our key. Check SAGASCRIPT_CHAT_KEY.")
INCOMPATIBLE = Message("chat.incompatible", "The text endpoint answers, but not as an OpenAI-compatible endpoint does.")
NO_TEXT = Message("chat.no_text", "The text endpoint answers, but without any text.")
NO_ANSWER = Wording("chat.no_answer", "The text endpoint did not answer within {seconds} seconds.")
UNKNOWN_MODEL = Wording(
    "chat.unknown_model",
    "The text endpoint does not offer the model “{model}”. "
    "Check SAGASCRIPT_CHAT_MODEL and that SAGASCRIPT_CHAT_URL ends in /v1.",
)
BROKEN = Wording("chat.broken", "The text endpoint fails with status {status}.")
REFUSED = Wording("chat.refused", "The text endpoint refuses our request with status {status}.")


class OpenAIChat:
    """Sends each request over HTTP. Asks for records by JSON Schema until the endpoint refuses that."""

    device = "remote"
    parallel = REQUESTS_AT_ONCE
    gains_from_batches = False
    has_deadline = True

    def __init__(self, endpoint: Endpoint) -> None:
        from openai import OpenAI

        self.context_tokens = endpoint.context_tokens
        self._endpoint = endpoint
        key = endpoint.key.get_secret_value() if endpoint.key is not None else "none"
        self._client = OpenAI(base_url=endpoint.url, api_key=key, timeout=endpoint.timeout_s, max_retries=RETRIES)
        self._threads = ThreadPoolExecutor(REQUESTS_AT_ONCE, thread_name_prefix="chat-endpoint")
        self._lock = Lock()
        self._model = endpoint.model
        self._takes_schemas = True

    @property
    def name(self) -> str:
        return self._model or "its first model"

    def count_tokens(self, request: ChatRequest) -> int:
        return sum(
            round(len(message.content.encode()) / BYTES_PER_TOKEN) + MESSAGE_TOKENS for message in request.messages
        )

    def complete(self, requests: Sequence[ChatRequest]) -> list[ChatOutcome]:
        if len(requests) == 1:
            return [self._complete(requests[0])]
        return list(self._threads.map(self._complete, requests))

    def rest(self) -> None:
        """Nothing to free."""

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._client.close()

    def _complete(self, request: ChatRequest) -> ChatOutcome:
        if (refusal := too_long(self.count_tokens(request), request, self.context_tokens)) is not None:
            return refusal
        try:
            return _answer(self._guarded(lambda: self._send(request)))
        except EngineRefused as refused:
            return refused

    def _send(self, request: ChatRequest) -> ChatCompletion:
        from openai import BadRequestError, UnprocessableEntityError

        if request.record is None or not self._takes_schemas:
            return self._create(request, LINES_FORM)
        schema = {"name": request.record.__name__, "strict": True, "schema": list_schema(request.record)}
        try:
            return self._create(request, OBJECT_FORM, response_format={"type": "json_schema", "json_schema": schema})
        except (BadRequestError, UnprocessableEntityError) as wrong:
            # The request may be refused for another reason; then it is refused without the schema too.
            answer = self._create(request, LINES_FORM)
            log.info("chat.no_schemas", model=self._model, status=wrong.status_code)
            self._takes_schemas = False
            return answer

    def _create(self, request: ChatRequest, form: str, **options: Any) -> ChatCompletion:
        given = request.messages if request.record is None else with_form(request.messages, form)
        messages: Any = [{"role": str(message.role), "content": message.content} for message in given]
        completion: ChatCompletion = self._client.chat.completions.create(
            model=self._chosen_model(), messages=messages, max_tokens=request.max_tokens, temperature=0, **options
        )
        return completion

    def _chosen_model(self) -> str:
        with self._lock:
            if not self._model:
                models = self._client.models.list().data
                if not models:
                    raise _refused(NO_MODEL)
                self._model = models[0].id
            return self._model

    def _guarded(self, call: Callable[[], ChatCompletion]) -> ChatCompletion:
        """Raises EngineRefused for whatever goes wrong with the endpoint. No sentence holds what it answered."""
        import openai

        try:
            return call()
        except openai.APITimeoutError:
            raise _busy(NO_ANSWER(seconds=round(self._endpoint.timeout_s))) from None
        except openai.APIConnectionError:
            raise _busy(AWAY) from None
        except openai.RateLimitError as limited:
            wait = _retry_after(limited.response.headers)
            raise _busy(BUSY, wait) from None
        except (openai.AuthenticationError, openai.PermissionDeniedError):
            raise _refused(BAD_KEY) from None
        except openai.NotFoundError:
            raise _refused(UNKNOWN_MODEL(model=self._model)) from None
        except openai.InternalServerError as failure:
            wait = _retry_after(failure.response.headers)
            raise _busy(BROKEN(status=str(failure.status_code)), wait) from None
        except openai.APIStatusError as failure:
            raise _refused(REFUSED(status=str(failure.status_code))) from None
        except EngineRefused:
            raise
        except Exception as failure:
            # The client reads an answer of another form, such as an HTML page, in its own ways. Whatever it raises ends
            # here: a traceback with local variables would show the key.
            log.warning("chat.unusable_answer", error=type(failure).__name__)
            raise _refused(INCOMPATIBLE) from None


def _answer(completion: ChatCompletion) -> ChatAnswer:
    choices = getattr(completion, "choices", None)
    content = getattr(getattr(choices[0], "message", None), "content", None) if choices else None
    if not choices or not isinstance(content, str):
        raise _refused(NO_TEXT)
    tokens = completion.usage.completion_tokens if completion.usage is not None else 0
    return ChatAnswer(content, choices[0].finish_reason != "length", tokens)


def _busy(sentence: str, retry_after_s: float | None = None) -> EngineRefused:
    return EngineRefused(EngineProblem.OVERLOADED, sentence, retry_after_s or AWAY_S)


def _refused(sentence: str) -> EngineRefused:
    return EngineRefused(EngineProblem.MODEL_FAILED, sentence)


def _retry_after(headers: Any) -> float | None:
    """Seconds of the header `Retry-After`; None for a date or nothing."""
    try:
        return min(600.0, max(0.5, float(headers.get("retry-after", ""))))
    except ValueError:
        return None
