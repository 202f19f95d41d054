"""The ways to translate subtitles that are compared."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.translation_quality.material import Sentence
from pipelines.captions.rules import rules_for
from pipelines.flows.messages import Attempt, Result
from pipelines.flows.passages import TranslationClient
from pipelines.flows.translate import translate
from pipelines.flows.translate_messages import GlossaryTerm, TargetLine, TranslateRequest, TranslateResult
from pipelines.translation.attention import cue_shares
from pipelines.translation.boundaries import units_of
from pipelines.translation.recut import recut
from pipelines.translation.rows import break_rows
from serve.translation_messages import Passage

Pieces = list[str]
Cutter = Callable[[Sentence, str, Sequence[Sequence[float]]], Pieces]


@dataclass(frozen=True, slots=True)
class Translation:
    """The target lines of the whole material, and the seconds it took."""

    lines: list[TargetLine]
    seconds: float


def by_flow(
    sentences: Sequence[Sentence],
    source: str,
    target: str,
    client: TranslationClient,
    glossary: tuple[GlossaryTerm, ...] = (),
) -> Translation:
    """Our flow: sentence groups, choice of hypotheses, checks and re-cut."""
    request = TranslateRequest(
        file_id="made",
        track_id="made",
        source_language=source,
        target_language=target,
        lines=tuple(line for sentence in sentences for line in sentence.lines),
        glossary=glossary,
    )
    began = time.monotonic()
    *_, last = translate(request, Attempt("made", 1, Path("/nowhere"), "made"), client=client)
    if not isinstance(last, Result) or not isinstance(last.payload, TranslateResult):
        raise RuntimeError("The flow ended without a result.")
    return Translation(list(last.payload.lines), time.monotonic() - began)


def line_by_line(sentences: Sequence[Sentence], source: str, target: str, client: TranslationClient) -> Translation:
    """Every cue on its own, the best hypothesis, as most subtitle programs do."""
    lines = [line for sentence in sentences for line in sentence.lines]
    began = time.monotonic()
    answers = [client.submit(Passage("made", index, source, target, line.text)) for index, line in enumerate(lines)]
    rules = rules_for(target)
    translated = [
        TargetLine(
            source_ids=(line.id,),
            source_texts=(line.text,),
            start_ms=line.start_ms,
            end_ms=line.end_ms,
            text=break_rows(answer.result().hypotheses[0].text, rules),
        )
        for line, answer in zip(lines, answers, strict=True)
    ]
    return Translation(translated, time.monotonic() - began)


def with_attention(sentence: Sentence, text: str, attention: Sequence[Sequence[float]]) -> Pieces:
    source = " ".join(line.text for line in sentence.lines)
    shares = cue_shares(source, [line.text for line in sentence.lines], text, units_of(text), attention)
    return _pieces(sentence, text, shares)


def without_attention(sentence: Sentence, text: str, _: Sequence[Sequence[float]]) -> Pieces:
    return _pieces(sentence, text, None)


def proportional(sentence: Sentence, text: str, _: Sequence[Sequence[float]]) -> Pieces:
    """At the word boundary nearest to each cue's share of the source's characters."""
    words = text.split()
    ends = [len(" ".join(words[: count + 1])) for count in range(len(words))]
    whole = sum(len(line.text) for line in sentence.lines)
    pieces: Pieces = []
    start = spoken = 0
    for index, line in enumerate(sentence.lines[:-1]):
        spoken += len(line.text)
        left = len(sentence.lines) - 1 - index
        goal = ends[-1] * spoken / whole
        stop = min(range(start + 1, max(start + 2, len(words) - left + 1)), key=lambda stop: abs(ends[stop - 1] - goal))
        pieces.append(" ".join(words[start:stop]))
        start = stop
    return [*pieces, " ".join(words[start:])]


def _pieces(sentence: Sentence, text: str, shares: tuple[tuple[float, ...], ...] | None) -> Pieces:
    pieces: Pieces = []
    for row in recut(text, sentence.lines, rules_for(sentence.phrase.target_language), shares):
        pieces += [row.text, *[""] * (row.after - row.first - 1)]
    return pieces
