"""The official client against an endpoint over real HTTP, whole and broken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, SecretStr

from cluster.testing.patience import PATIENCE_S
from serve.chat.messages import ChatAnswer, ChatRequest, conversation
from serve.chat.openai_chat import OpenAIChat
from serve.chat.records import Records, ask_for_records
from serve.chat.settings import ChatSettings, Endpoint
from serve.core.messages import EngineProblem, EngineRefused
from serve.testing.chat_endpoint import MODEL, ChatEndpoint, chat_endpoint

KEY = "sk-only-for-the-replica"


class Fact(BaseModel):
    text: str


def reply(body: dict[str, Any]) -> str:
    said = body["messages"][-1]["content"]
    if "response_format" in body:
        return json.dumps({"records": [{"text": said}]})
    return json.dumps({"text": said})


@pytest.fixture
def endpoint() -> Iterator[ChatEndpoint]:
    with chat_endpoint(reply, key=KEY) as running:
        yield running


@pytest.fixture
def chat(endpoint: ChatEndpoint) -> Iterator[OpenAIChat]:
    model = OpenAIChat(Endpoint(endpoint.url, MODEL, SecretStr(KEY), timeout_s=PATIENCE_S))
    yield model
    model.close()


def request(text: str = "Good morning.") -> ChatRequest:
    return ChatRequest(conversation("You repeat.", text), max_tokens=100)


def refusal(chat: OpenAIChat) -> EngineRefused:
    (outcome,) = chat.complete([request()])
    assert isinstance(outcome, EngineRefused)
    assert KEY not in repr(outcome)
    return outcome


def test_many_requests_come_back_in_order(chat: OpenAIChat, endpoint: ChatEndpoint) -> None:
    texts = [f"Line {number}." for number in range(32)]
    answers = chat.complete([request(text) for text in texts])
    assert [json.loads(each.text)["text"] for each in answers if isinstance(each, ChatAnswer)] == texts
    assert endpoint.keys == {KEY}
    assert endpoint.requests[0]["temperature"] == 0


def test_records_are_asked_for_by_schema_and_by_words_where_that_is_refused(
    chat: OpenAIChat, endpoint: ChatEndpoint
) -> None:
    expected = [Records((Fact(text="Good morning."),))]
    assert ask_for_records(chat, [request()], Fact) == expected
    assert endpoint.requests[-1]["response_format"]["json_schema"]["strict"] is True
    endpoint.faults.refuses_schemas = True
    for _ in range(2):
        assert ask_for_records(chat, [request()], Fact) == expected
    forms = ["response_format" in body for body in endpoint.requests]
    assert forms == [True, True, False, False]


def test_without_a_model_name_the_first_one_is_used(endpoint: ChatEndpoint) -> None:
    chat = OpenAIChat(Endpoint(endpoint.url, "", SecretStr(KEY)))
    chat.complete([request()])
    assert chat.name == MODEL
    chat.close()


def test_a_busy_endpoint_is_asked_again_after_the_time_it_gives(chat: OpenAIChat, endpoint: ChatEndpoint) -> None:
    endpoint.faults.status, endpoint.faults.failures, endpoint.faults.retry_after = 429, 1, "1"
    (answer,) = chat.complete([request()])
    assert isinstance(answer, ChatAnswer)
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_an_endpoint_that_stays_busy_gives_a_time(chat: OpenAIChat, endpoint: ChatEndpoint, status: int) -> None:
    endpoint.faults.status, endpoint.faults.retry_after = status, "0.7"
    refused = refusal(chat)
    assert refused.problem is EngineProblem.OVERLOADED
    assert refused.retry_after_s == pytest.approx(0.7)


def test_a_slow_endpoint_gives_a_time(endpoint: ChatEndpoint) -> None:
    chat = OpenAIChat(Endpoint(endpoint.url, MODEL, SecretStr(KEY), timeout_s=0.2))
    endpoint.faults.slow_s = 600
    refused = refusal(chat)
    assert refused.problem is EngineProblem.OVERLOADED
    assert refused.retry_after_s is not None
    chat.close()


def test_an_unreachable_endpoint_gives_a_time() -> None:
    chat = OpenAIChat(Endpoint("http://127.0.0.1:9/v1", MODEL, SecretStr(KEY)))
    assert refusal(chat).problem is EngineProblem.OVERLOADED
    chat.close()


@pytest.mark.long
@pytest.mark.parametrize(
    "body", [b"<html>Welcome</html>", b"{}", b'{"choices": []}', b'{"choices": [{}]}', b"[1]", b""]
)
def test_rubbish_is_refused_with_a_sentence(chat: OpenAIChat, endpoint: ChatEndpoint, body: bytes) -> None:
    endpoint.faults.body = body
    refused = refusal(chat)
    assert refused.problem is EngineProblem.MODEL_FAILED
    assert refused.sentence.endswith(".")


def test_a_rejected_key_and_an_unknown_model_say_what_to_change(endpoint: ChatEndpoint) -> None:
    wrong = OpenAIChat(Endpoint(endpoint.url, MODEL, SecretStr("sk-wrong-key")))
    refused = refusal(wrong)
    assert "SAGASCRIPT_CHAT_KEY" in refused.sentence
    assert "sk-wrong-key" not in str(refused)
    unknown = OpenAIChat(Endpoint(endpoint.url, "other", SecretStr(KEY)))
    assert "SAGASCRIPT_CHAT_MODEL" in refusal(unknown).sentence


def test_a_request_that_does_not_fit_is_refused_before_it_is_sent(endpoint: ChatEndpoint) -> None:
    chat = OpenAIChat(Endpoint(endpoint.url, MODEL, SecretStr(KEY), context_tokens=1024))
    (outcome,) = chat.complete([request("word " * 1000)])
    assert isinstance(outcome, EngineRefused)
    assert outcome.problem is EngineProblem.TOO_LONG
    assert not endpoint.requests


def test_no_text_form_of_the_settings_holds_the_key() -> None:
    settings = ChatSettings(chat_url="http://127.0.0.1/v1", chat_key=SecretStr(KEY))
    for value in (settings, settings.endpoint):
        assert KEY not in repr(value)
        assert KEY not in str(value)
    assert KEY not in settings.model_dump_json()
