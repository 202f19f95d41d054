"""A chat model behind any OpenAI-compatible endpoint: vLLM, SGLang, Ollama, a hosted service."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import structlog

from cluster.wording.message import Message, Wording
from serve.chat.messages import ChatAnswer, ChatRequest
from serve.chat.model import ChatOutcome, too_long
from serve.chat.records import LINES_FORM, OBJECT_FORM, list_schema, with_form
from serve.chat.settings import Endpoint
from serve.core.endpoint import REMOTE, EndpointClient, EndpointSentences
from serve.core.messages import EngineProblem, EngineRefused

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

log = structlog.get_logger(__name__)

REQUESTS_AT_ONCE = 16
BYTES_PER_TOKEN = 2.5
"""A low estimate, since the tokenizer is elsewhere: English has about 4 bytes a token, Icelandic 2.5 to 3."""
MESSAGE_TOKENS = 8

NO_TEXT = Message("chat.no_text", "The text endpoint answers, but without any text.")
SENTENCES = EndpointSentences(
    no_model=Message("chat.no_model", "The text endpoint lists no model. Set SAGASCRIPT_CHAT_MODEL."),
    away=Message("chat.away", "The text endpoint cannot be reached."),
    busy=Message("chat.busy", "The text endpoint takes no more requests at the moment."),
    bad_key=Message("chat.bad_key", "The text endpoint rejects our key. Check SAGASCRIPT_CHAT_KEY."),
    incompatible=Message(
        "chat.incompatible", "The text endpoint answers, but not as an OpenAI-compatible endpoint does."
    ),
    no_answer=Wording("chat.no_answer", "The text endpoint did not answer within {seconds} seconds."),
    unknown_model=Wording(
        "chat.unknown_model",
        "The text endpoint does not offer the model “{model}”. "
        "Check SAGASCRIPT_CHAT_MODEL and that SAGASCRIPT_CHAT_URL ends in /v1.",
    ),
    broken=Wording("chat.broken", "The text endpoint fails with status {status}."),
    refused=Wording("chat.refused", "The text endpoint refuses our request with status {status}."),
)


class OpenAIChat:
    """Sends each request over HTTP. Asks for records by JSON Schema until the endpoint refuses that."""

    device = REMOTE
    parallel = REQUESTS_AT_ONCE
    gains_from_batches = False
    has_deadline = True

    def __init__(self, endpoint: Endpoint) -> None:
        self.context_tokens = endpoint.context_tokens
        self._endpoint = EndpointClient(
            endpoint.url, endpoint.model, endpoint.key, timeout_s=endpoint.timeout_s, sentences=SENTENCES
        )
        self._threads = ThreadPoolExecutor(REQUESTS_AT_ONCE, thread_name_prefix="chat-endpoint")
        self._takes_schemas = True

    @property
    def name(self) -> str:
        return self._endpoint.model or "its first model"

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
        self._endpoint.close()

    def _complete(self, request: ChatRequest) -> ChatOutcome:
        if (refusal := too_long(self.count_tokens(request), request, self.context_tokens)) is not None:
            return refusal
        try:
            return _answer(self._endpoint.guarded(lambda: self._send(request)))
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
            log.info("chat.no_schemas", model=self._endpoint.model, status=wrong.status_code)
            self._takes_schemas = False
            return answer

    def _create(self, request: ChatRequest, form: str, **options: Any) -> ChatCompletion:
        given = request.messages if request.record is None else with_form(request.messages, form)
        messages: Any = [{"role": str(message.role), "content": message.content} for message in given]
        completion: ChatCompletion = self._endpoint.openai.chat.completions.create(
            model=self._endpoint.chosen_model(),
            messages=messages,
            max_tokens=request.max_tokens,
            temperature=0,
            **options,
        )
        return completion


def _answer(completion: ChatCompletion) -> ChatAnswer:
    choices = getattr(completion, "choices", None)
    content = getattr(getattr(choices[0], "message", None), "content", None) if choices else None
    if not choices or not isinstance(content, str):
        raise EngineRefused(EngineProblem.MODEL_FAILED, NO_TEXT)
    tokens = completion.usage.completion_tokens if completion.usage is not None else 0
    return ChatAnswer(content, choices[0].finish_reason != "length", tokens)
