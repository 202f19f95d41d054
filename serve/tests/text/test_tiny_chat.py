"""The tiny chat model, word for word: CTranslate2 and transformers from the same weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.chat.choice import choose_chat, load_chat
from serve.chat.ct2_chat import CTranslate2Chat
from serve.chat.messages import ChatAnswer
from serve.chat.model import ChatModel
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.text.in_process import InProcessWriter
from serve.tasks.text.messages import Claim, ComposedText, PartKind, SectionClaims, SectionItem
from serve.testing.meeting import ENGLISH, ICELANDIC, NOTES, TEXTS, Exchange, composition, exchanges, section
from serve.testing.tiny_models.archives import CHAT, CHAT_TRANSFORMERS, unpack

KNOWN = list(exchanges())


def answers(chat: ChatModel, known: Sequence[Exchange]) -> list[str]:
    return [
        each.text if isinstance(each, ChatAnswer) else repr(each) for each in chat.complete([k.request for k in known])
    ]


def test_ctranslate2_gives_every_answer_in_one_batch_and_alone(chat_root: Path) -> None:
    chat = CTranslate2Chat(chat_root / CHAT, name=CHAT, threads=1)
    assert answers(chat, KNOWN) == [each.answer for each in KNOWN]
    assert answers(chat, KNOWN[:1]) == [KNOWN[0].answer]
    chat.close()


@pytest.mark.gpu_env
def test_transformers_gives_every_answer_from_the_same_weights(tmp_path: Path) -> None:
    unpack(CHAT_TRANSFORMERS, tmp_path)
    choice = choose_chat(("transformers",), (), None, tmp_path)
    assert choice is not None
    chat = load_chat(choice)
    assert answers(chat, KNOWN) == [each.answer for each in KNOWN]
    other = CTranslate2Chat(unpack(CHAT, tmp_path), name=CHAT, threads=1)
    assert [chat.count_tokens(each.request) for each in KNOWN] == [other.count_tokens(each.request) for each in KNOWN]
    chat.close()


def test_a_limit_on_tokens_cuts_only_its_own_answer(chat_root: Path) -> None:
    chat = CTranslate2Chat(chat_root / CHAT, name=CHAT, threads=1)
    short, whole = chat.complete([replace(KNOWN[0].request, max_tokens=10), KNOWN[1].request])
    assert isinstance(short, ChatAnswer)
    assert (short.is_complete, short.tokens) == (False, 10)
    assert KNOWN[0].answer.startswith(short.text)
    assert isinstance(whole, ChatAnswer)
    assert (whole.text, whole.is_complete) == (KNOWN[1].answer, True)
    chat.close()


def test_a_prompt_that_does_not_fit_is_refused_and_its_neighbour_is_not(chat_root: Path) -> None:
    chat = CTranslate2Chat(chat_root / CHAT, name=CHAT, threads=1, context_tokens=2048)
    huge = replace(KNOWN[0].request, max_tokens=4000)
    refused, answer = chat.complete([huge, KNOWN[0].request])
    assert isinstance(refused, EngineRefused)
    assert refused.problem is EngineProblem.TOO_LONG
    assert isinstance(answer, ChatAnswer)
    chat.close()


@pytest.mark.long
def test_thirty_two_requests_of_eight_files_at_once_come_back_whole(tiny_writer: InProcessWriter) -> None:
    types = list(NOTES)
    items = [section(types[number % 4], stream=f"file-{number % 8}") for number in range(32)]
    futures = [tiny_writer.submit(item) for item in items]
    for item, future in zip(items, futures, strict=True):
        outcome = future.result(PATIENCE_S)
        assert isinstance(outcome, SectionClaims)
        assert [claim.text for claim in outcome.claims] == [note["text"] for note in NOTES[item.type]]


def test_notes_and_texts_have_their_parts(tiny_writer: InProcessWriter) -> None:
    notes = tiny_writer.submit(section("minutes")).result(PATIENCE_S)
    assert isinstance(notes, SectionClaims)
    action = notes.claims[3]
    assert (action.kind, action.owner, action.due, action.lines) == ("action", "Maria", "by Friday", (5,))
    assert notes.claims[0] == Claim("The new ferry will cost 12 million dollars.", (2,))
    text = tiny_writer.submit(composition("blog")).result(PATIENCE_S)
    assert isinstance(text, ComposedText)
    assert [part.text for part in text.parts] == [part["text"] for part in TEXTS["blog"]]
    assert text.parts[0].kind is PartKind.TITLE


def test_a_model_writes_in_another_language_than_the_transcript(tiny_writer: InProcessWriter) -> None:
    text = tiny_writer.submit(composition("short", ICELANDIC)).result(PATIENCE_S)
    assert isinstance(text, ComposedText)
    assert text.parts[0].text.startswith("Ákveðið var")


def test_a_transcript_it_does_not_know_gives_a_sentence_or_nothing(tiny_writer: InProcessWriter) -> None:
    """Whatever a small model answers to a prompt that it was not trained on, no broken claim gets through."""
    strange = SectionItem("file", 0, "long", ICELANDIC, ENGLISH, (section("long").lines[1],) * 3)
    future = tiny_writer.submit(strange)
    failure = future.exception(120)
    if failure is not None:
        assert isinstance(failure, EngineRefused)
        assert failure.sentence.endswith(".")
    else:
        outcome = future.result()
        assert isinstance(outcome, SectionClaims)
        assert all(claim.text and claim.lines for claim in outcome.claims)
