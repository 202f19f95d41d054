"""The flow that writes AI text: with the tiny chat model and the offline engine."""

from __future__ import annotations

from typing import Any

import pytest

from pipelines.flows.minutes.flow import NO_TEXT
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, StageFailed
from pipelines.messages.minutes import BlockKind, TextType
from pipelines.testing.texts import (
    HOUR_LINES,
    NumberKeepingTranslator,
    long_talk,
    minutes_request,
    texts,
    transcript,
    written,
)
from serve.tasks.text.in_process import InProcessWriter
from serve.tasks.text.messages import SpokenLine
from serve.testing.meeting import TEXTS, UNCITED, WRONG_NUMBER


def test_minutes_have_cited_points_decisions_and_actions(tiny_writer: InProcessWriter) -> None:
    result = written(minutes_request("minutes"), tiny_writer)
    kinds = [block.kind for block in result.blocks]
    heading, bullet = BlockKind.HEADING, BlockKind.BULLET
    assert kinds == [heading, bullet, bullet, bullet, heading, BlockKind.DECISION, heading, BlockKind.ACTION]
    action = result.blocks[-1]
    assert (action.owner, action.due) == ("Maria", "by Friday")
    assert action.sentences[0].line_ids == ("line-4",)
    assert [block.sentences[0].line_ids for block in result.blocks[1:4]] == [("line-1",), ("line-2",), ("line-7",)]
    assert not any(sentence.unsupported for block in result.blocks for sentence in block.sentences)
    assert (result.engine.engine, result.covered_ms, result.total_ms) == ("ct2_llm", 32_000, 32_000)


def test_a_wrong_number_is_marked_and_a_sentence_that_rests_on_nothing_is_left_out(
    tiny_writer: InProcessWriter,
) -> None:
    blog = written(minutes_request("blog"), tiny_writer)
    assert blog.title == TEXTS["blog"][0]["text"]
    marked = [sentence.text for block in blog.blocks for sentence in block.sentences if sentence.unsupported]
    assert marked == [WRONG_NUMBER]
    assert any("1 sentence is marked" in note for note in blog.notes)
    long = written(minutes_request("long"), tiny_writer)
    assert UNCITED not in texts(long)
    assert any("1 sentence is left out" in note for note in long.notes)


def test_a_model_writes_in_another_language_by_itself(tiny_writer: InProcessWriter) -> None:
    result = written(minutes_request("short", language="is-IS"), tiny_writer)
    assert texts(result) == ["Ákveðið var að panta nýja ferju fyrir 12 milljónir dollara."]
    assert not result.blocks[0].sentences[0].unsupported


@pytest.mark.parametrize("type", list(TextType))
def test_the_offline_engine_copies_sentences_and_says_so(selector: InProcessWriter, type: TextType) -> None:
    lines = transcript()
    result = written(minutes_request(type), selector)
    said = {line.text for line in lines} | {part for line in lines for part in line.text.split(". ")}
    for block in result.blocks:
        if block.kind is not BlockKind.HEADING:
            assert all(sentence.text in said or f"{sentence.text[:-1]}" in said for sentence in block.sentences)
            assert all(sentence.line_ids and not sentence.unsupported for sentence in block.sentences)
    assert any("selects sentences" in note for note in result.notes)


@pytest.mark.long
def test_the_four_types_differ(selector: InProcessWriter) -> None:
    lines = long_talk(HOUR_LINES)
    results = {type: written(minutes_request(type, lines), selector) for type in TextType}
    lengths = {type: len(" ".join(texts(result))) for type, result in results.items()}
    assert lengths[TextType.SHORT] < lengths[TextType.MINUTES] < lengths[TextType.LONG]
    assert len({tuple(block.kind for block in result.blocks) for result in results.values()}) == 4


def test_the_offline_engine_finds_decisions_and_actions(selector: InProcessWriter) -> None:
    result = written(minutes_request("minutes"), selector)
    decision, action = (
        next(b for b in result.blocks if b.kind is kind) for kind in (BlockKind.DECISION, BlockKind.ACTION)
    )
    assert decision.sentences[0].text == "We decided to order the ferry from the yard in Akureyri."
    assert (action.owner, action.due) == ("Maria", "by Friday")


def test_it_works_in_every_script(selector: InProcessWriter) -> None:
    japanese = [
        SpokenLine(f"新しいフェリーは{number}人の乗客を運びます。港には長い桟橋が必要です。") for number in range(20)
    ]
    arabic = [SpokenLine(f"العبارة الجديدة تحمل {number} راكبا. الميناء يحتاج إلى رصيف أطول.") for number in range(20)]
    for language, spoken in (("ja", japanese), ("ar", arabic)):
        request = minutes_request("long", transcript(spoken), language=language, source_language=language)
        result = written(request, selector)
        assert len(texts(result)) > 4
        assert not any(sentence.unsupported for block in result.blocks for sentence in block.sentences)


def test_selected_sentences_are_translated_where_a_model_can(selector: InProcessWriter) -> None:
    wrong = "The new ferry will cost 12 million dollars."
    request = minutes_request("minutes", language="is-IS")
    result = written(request, selector, translator=NumberKeepingTranslator(wrong))
    assert texts(result)[0] == "Helstu atriði"
    sentences = [each for block in result.blocks for each in block.sentences if each.line_ids]
    assert all(each.text.startswith("þýtt: ") for each in sentences)
    assert [each.text for each in sentences if each.unsupported] == [
        "þýtt: The new ferry will cost 13 million dollars."
    ]


def test_without_a_translation_model_another_language_is_refused_with_what_works(selector: InProcessWriter) -> None:
    with pytest.raises(StageFailed) as failed:
        written(minutes_request("short", language="is-IS"), selector)
    assert failed.value.code == LANGUAGE_UNSUPPORTED
    assert "Choose English" in failed.value.reason
    assert not failed.value.retryable


@pytest.mark.parametrize("lines", [(), transcript([SpokenLine("  "), SpokenLine("")])])
def test_an_empty_transcript_is_refused_with_a_sentence(selector: InProcessWriter, lines: Any) -> None:
    with pytest.raises(StageFailed, match=NO_TEXT):
        written(minutes_request("short", lines), selector)


@pytest.mark.parametrize("type", list(TextType))
def test_one_line_is_enough(selector: InProcessWriter, type: TextType) -> None:
    result = written(minutes_request(type, transcript([SpokenLine("Yes.")])), selector)
    assert "Yes." in texts(result)
