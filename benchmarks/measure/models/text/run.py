"""Runs one system over all transcripts and types of text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure.models.answers import Answers
from benchmarks.measure.models.run import System
from benchmarks.measure.models.side import Side, SideFailed, figures_of
from benchmarks.measure.models.text.scores import judge, text_of
from benchmarks.measure.models.text.transcripts import Transcript
from benchmarks.measure.outcomes.outcome import Figure, Item, SystemRun
from benchmarks.measure.progress import Advance
from pipelines.languages import locale_of
from pipelines.messages.minutes import MinutesRequest, MinutesResult, TextType


def measure(
    system: System, transcripts: Sequence[Transcript], types: Sequence[TextType], advance: Advance, answers: Answers
) -> SystemRun:
    """One text after the other. Raises SideFailed when the model cannot be loaded."""
    items: list[Item] = []
    notes: list[str] = []
    with Side(system.module, system.configuration, python=system.python) as side:
        try:
            for transcript in transcripts:
                for type in types:
                    name = f"{transcript.name} {type}"
                    record = answers.known(system.name, name)
                    if record is None:
                        record = side.ask(_request(transcript, type).to_json())
                        answers.add(system.name, name, record)
                    items.append(_item(transcript, type, record))
                    advance(name)
        except SideFailed as failure:
            notes.append(f"{system.name}: it stopped early. {failure}")
        except KeyboardInterrupt:
            answers.is_stopped = True
            notes.append(f"{system.name}: somebody stopped it before its end.")
        about, figures = side.about, figures_of(side)
    if failed := [item for item in items if item.problem]:
        notes.append(f"{system.name}: {len(failed)} texts were not written. {failed[0].id}: {failed[0].problem}")
    return SystemRun(
        name=system.name,
        engine=about["engine"],
        model=about["model"],
        configuration=system.configuration,
        items=tuple(items),
        figures=tuple(Figure(name=name, value=value, unit=unit) for name, value, unit in figures),
        notes=tuple([*notes, about["reason"]]),
    )


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


def _item(transcript: Transcript, type: TextType, record: dict[str, object]) -> Item:
    item = Item(
        id=f"{transcript.name} {type}", group=transcript.name, language=transcript.language, condition=f"type {type}"
    )
    if "problem" in record:
        return item.model_copy(update={"problem": str(record["problem"])})
    result = MinutesResult.model_validate(record["answer"])
    seconds = record["seconds"]
    assert isinstance(seconds, float)
    texts = {"reference": transcript.references.get(type, ""), "answer": text_of(result)}
    return item.model_copy(update={"values": judge(transcript, result, seconds), "texts": texts})
