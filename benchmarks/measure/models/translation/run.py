"""Asks a translation system for each document and scores its answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from benchmarks.measure.models.child import Json
from benchmarks.measure.models.run import Question, Questions, System, unanswered
from benchmarks.measure.models.translation.corpus import Document
from benchmarks.measure.models.translation.scores import Direction, items_of
from benchmarks.measure.outcomes.outcome import Item
from pipelines.messages.translate import TargetLine, TranslateRequest


def questions(system: System, documents: Sequence[Document], direction: Direction) -> Questions:
    asked = [
        Question(each.name, _request(each, direction).to_json(), partial(_items, each, direction)) for each in documents
    ]
    return Questions(system, asked, warm_up=_request(documents[0], direction, lines=1).to_json())


def _items(document: Document, direction: Direction, record: Json) -> list[Item]:
    problem = unanswered(Item(id=document.name, group=document.name), record)
    if problem is not None:
        return [problem]
    lines = [TargetLine.model_validate(line) for line in record["answer"]["lines"]]
    return items_of(document, lines, record["seconds"], direction)


def _request(document: Document, direction: Direction, lines: int | None = None) -> TranslateRequest:
    return TranslateRequest(
        file_id="bench",
        track_id="bench",
        source_language=direction.source,
        target_language=direction.target,
        lines=document.lines[:lines],
        glossary=direction.glossary,
    )
