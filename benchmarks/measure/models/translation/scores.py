"""Scores of a translated document, as items: one for each block of the reference, and one for the whole."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure.datasets.references import ReferenceLine
from benchmarks.measure.models.translation.corpus import Document
from benchmarks.measure.models.translation.ngrams import bleu_parts, chrf_parts
from benchmarks.measure.outcomes.outcome import Formula, Item, Metric
from pipelines.captions.reading.srt import format_srt
from pipelines.captions.texts.text import visible_length
from pipelines.messages.caption_rules import rules_for
from pipelines.messages.lines import CaptionLine
from pipelines.messages.translate import GlossaryTerm, TargetLine
from pipelines.translation.rows import break_rows
from pipelines.translation.terms.glossary import TermIndex, missing
from pipelines.translation.texts.numbers import lost_numbers, numbers_in

METRICS = (
    Metric(
        key="chrf",
        title="chrF++",
        unit="",
        formula=Formula.CHRF,
        lower_is_better=False,
        about="Runs of characters and words shared with the reference, 0 to 100; fits inflected languages better than "
        "BLEU.",
    ),
    Metric(
        key="bleu",
        title="BLEU",
        unit="",
        formula=Formula.BLEU,
        lower_is_better=False,
        about="Runs of 1 to 4 words shared with the reference, 0 to 100, as sacrebleu counts.",
    ),
    Metric(
        key="suber",
        title="SubER",
        unit="%",
        about="Edits of words, breaks and times that turn the subtitles into the reference (Wilken and others 2022).",
    ),
    Metric(
        key="terms",
        title="Glossary hits",
        unit="%",
        scale=100,
        lower_is_better=False,
        about="Terms of the glossary in the source whose translation stands in the answer, inflected or not.",
    ),
    Metric(
        key="numbers",
        title="Numbers kept",
        unit="%",
        scale=100,
        lower_is_better=False,
        about="Numbers of the source that stand in the answer.",
    ),
    Metric(
        key="profile",
        title="Lines that can be read",
        unit="%",
        scale=100,
        lower_is_better=False,
        about="Lines whose rows, length and reading speed keep the caption rules of the language.",
    ),
    Metric(
        key="length",
        title="Length",
        unit="× source",
        is_judged=False,
        about="Characters of the answer for each of the source.",
    ),
    Metric(key="empty", title="Empty answers", unit="%", scale=100, about="Blocks without any translation."),
    Metric(
        key="speed",
        title="Speed",
        unit="lines/s",
        lower_is_better=False,
        is_timed=True,
        about="Source lines for each second of work, one document after the other, the model loaded.",
    ),
)


@dataclass(frozen=True, slots=True)
class Direction:
    """`glossary` is what the product was given."""

    source: str
    target: str
    glossary: tuple[GlossaryTerm, ...] = ()


def items_of(document: Document, lines: Sequence[TargetLine], seconds: float, direction: Direction) -> list[Item]:
    language = f"{direction.source}-{direction.target}"
    base = Item(id=document.name, group=document.name, language=language, condition=document.condition)
    items = [
        base.model_copy(update={"id": f"{document.name}#{number}", "values": values, "texts": texts})
        for number, (values, texts) in enumerate(_blocks(document, lines, direction), 1)
    ]
    whole: dict[str, tuple[float, ...]] = {
        "speed": (len(document.lines), seconds),
        "profile": (sum(_can_be_read(line, direction.target) for line in lines), len(lines)),
    }
    if document.subtitles and any(line.text for line in lines):
        whole["suber"] = _suber(document.subtitles, lines, direction.target)
    return [*items, base.model_copy(update={"values": whole})]


def _blocks(
    document: Document, lines: Sequence[TargetLine], direction: Direction
) -> Iterator[tuple[dict[str, tuple[float, ...]], dict[str, str]]]:
    """Values and texts of each block. A line of several source lines belongs to the block of the first."""
    index = TermIndex(direction.glossary, direction.source)
    answers: dict[str, list[str]] = {}
    for line in lines:
        if line.source_ids:
            answers.setdefault(line.source_ids[0], []).append(line.text.replace("\n", " "))
    for block in document.blocks:
        own = document.lines[block.first : block.after]
        source = " ".join(line.text for line in own)
        answer = " ".join(text for line in own for text in answers.get(line.id, ()) if text)
        values: dict[str, tuple[float, ...]] = {
            "length": (visible_length(answer), visible_length(source)),
            "empty": (float(not answer), 1),
        }
        # Lines that the reference leaves out, such as a name called twice, are in no score.
        if block.reference:
            values["chrf"] = chrf_parts(answer, block.reference)
            values["bleu"] = bleu_parts(answer, block.reference, direction.target)
        if numbers := sum(numbers_in(source).values()):
            values["numbers"] = (numbers - len(lost_numbers(source, answer)), numbers)
        if terms := index.terms_in(source):
            values["terms"] = (len(terms) - len(missing(answer, terms, direction.target)), len(terms))
        yield values, {"source": source, "reference": block.reference, "answer": answer}


def _can_be_read(line: TargetLine, language: str) -> bool:
    rules = rules_for(language)
    rows = line.text.split("\n")
    is_fast = visible_length(line.text) * 1000 > rules.max_speed * (line.end_ms - line.start_ms)
    return len(rows) <= rules.max_rows and all(visible_length(row) <= rules.max_row for row in rows) and not is_fast


def _suber(reference: Sequence[ReferenceLine], lines: Sequence[TargetLine], language: str) -> tuple[float, float]:
    """The rate, weighted by the words of the reference."""
    from suber.file_readers import read_input_file
    from suber.metrics.suber import calculate_SubER

    rules = rules_for(language)
    wanted = [
        CaptionLine(str(number), line.start_ms, line.end_ms, break_rows(line.text, rules))
        for number, line in enumerate(reference)
    ]
    answered = [
        CaptionLine(line.source_ids[0], line.start_ms, line.end_ms, line.text)
        for line in lines
        if line.text and line.source_ids
    ]
    with tempfile.TemporaryDirectory() as folder:
        read = []
        for name, captions in (("answered", answered), ("wanted", wanted)):
            path = Path(folder) / f"{name}.srt"
            path.write_text(format_srt(captions), encoding="utf-8")
            read.append(read_input_file(str(path), file_format="SRT"))
        rate = float(calculate_SubER(hypothesis=read[0], reference=read[1]))
    words = sum(len(line.text.split()) for line in reference)
    return rate * words, words
