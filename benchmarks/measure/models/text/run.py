"""Asks a system for the texts of each transcript, and scores them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.measure.models.child import Json
from benchmarks.measure.models.run import Question, Questions, System, unanswered
from benchmarks.measure.models.text.scores import judge, text_of
from benchmarks.measure.models.text.transcripts import Transcript
from benchmarks.measure.outcomes.outcome import Item
from pipelines.languages import locale_of
from pipelines.messages.minutes import MinutesRequest, MinutesResult, TextType


def questions(system: System, transcripts: Sequence[Transcript], types: Sequence[TextType]) -> Questions:
    asked = [
        Question(f"{each.name} {type}", _request(each, type).to_json(), partial(_items, each, type))
        for each in transcripts
        for type in types
    ]
    return Questions(system, asked)


def _request(transcript: Transcript, type: TextType) -> MinutesRequest:
    return MinutesRequest(
        file_id="bench",
        ai_text_id="bench",
        type=type,
        language=locale_of(transcript.language),
        source_language=locale_of(transcript.language),
        lines=transcript.lines,
        title=Path(transcript.name).stem,
    )


def _items(transcript: Transcript, type: TextType, record: Json) -> list[Item]:
    item = Item(
        id=f"{transcript.name} {type}", group=transcript.name, language=transcript.language, condition=f"type {type}"
    )
    if (problem := unanswered(item, record)) is not None:
        return [problem]
    result = MinutesResult.model_validate(record["answer"])
    texts = {"reference": transcript.references.get(type, ""), "answer": text_of(result)}
    values = judge(transcript, result, record["seconds"])
    return [item.model_copy(update={"values": values, "texts": texts})]
