"""Runs one system over all documents."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.measure.models.answers import Answers
from benchmarks.measure.models.run import System
from benchmarks.measure.models.side import Side, SideFailed, figures_of
from benchmarks.measure.models.translation.corpus import Document
from benchmarks.measure.models.translation.scores import Direction, items_of
from benchmarks.measure.outcomes.outcome import Figure, Item, SystemRun
from benchmarks.measure.progress import Advance
from pipelines.messages.translate import TargetLine, TranslateRequest


def measure(
    system: System, documents: Sequence[Document], direction: Direction, advance: Advance, answers: Answers
) -> SystemRun:
    """One document after the other. Raises SideFailed when the model cannot be loaded."""
    items: list[Item] = []
    notes: list[str] = []
    with Side(system.module, system.configuration, python=system.python) as side:
        try:
            # The first call loads parts of some models.
            side.ask(_request(documents[0], direction, lines=1).to_json())
            for document in documents:
                record = answers.known(system.name, document.name)
                if record is None:
                    record = side.ask(_request(document, direction).to_json())
                    answers.add(system.name, document.name, record)
                if "problem" in record:
                    items.append(Item(id=document.name, group=document.name, problem=record["problem"]))
                    notes.append(f"{system.name}: {document.name} has no answer: {record['problem']}")
                else:
                    lines = [TargetLine.model_validate(line) for line in record["answer"]["lines"]]
                    items += items_of(document, lines, record["seconds"], direction)
                advance(document.name)
        except SideFailed as failure:
            notes.append(f"{system.name}: it stopped early. {failure}")
        except KeyboardInterrupt:
            answers.is_stopped = True
            notes.append(f"{system.name}: somebody stopped it before its end.")
        about, figures = side.about, figures_of(side)
    return SystemRun(
        name=system.name,
        engine=about["engine"],
        model=about["model"],
        configuration=system.configuration,
        items=tuple(items),
        figures=tuple(Figure(name=name, value=value, unit=unit) for name, value, unit in figures),
        notes=tuple([*notes, about["reason"]]),
    )


def _request(document: Document, direction: Direction, lines: int | None = None) -> TranslateRequest:
    return TranslateRequest(
        file_id="bench",
        track_id="bench",
        source_language=direction.source,
        target_language=direction.target,
        lines=document.lines[:lines],
        glossary=direction.glossary,
    )
