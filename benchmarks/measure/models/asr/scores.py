"""Scores of one answer against its reference: errors of words and characters, times, confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import jiwer

from benchmarks.measure.datasets.folder import AudioItem
from benchmarks.measure.models.asr.answer import SpeechAnswer, SpokenWord
from benchmarks.measure.models.asr.normalise import words_of
from benchmarks.measure.outcomes.outcome import Metric
from serve.core.text.compared_words import characters_of, plain_words

METRICS = (
    Metric(
        key="wer",
        title="Word error rate",
        unit="%",
        scale=100,
        about="Words replaced, left out or added, for each 100 spoken; characters where a script has no spaces.",
    ),
    Metric(
        key="cer",
        title="Character error rate",
        unit="%",
        scale=100,
        about="Characters replaced, left out or added, for each 100 spoken: kinder to inflected languages.",
    ),
    Metric(key="replaced", title="Words replaced", unit="%", scale=100, about="Part of the word error rate."),
    Metric(key="left_out", title="Words left out", unit="%", scale=100, about="Part of the word error rate."),
    Metric(key="added", title="Words added", unit="%", scale=100, about="Part of the word error rate."),
    Metric(
        key="invented",
        title="Windows with invented text",
        unit="%",
        scale=100,
        about="Windows of silence, noise and music in which the system finds words.",
    ),
    Metric(
        key="line_start",
        title="Error of line starts",
        unit="ms",
        about="Mean distance of the first word from the start of its reference line, where that word was recognised.",
    ),
    Metric(
        key="line_end",
        title="Error of line ends",
        unit="ms",
        about="Mean distance of the last word's end from the end of its reference line. Subtitles often stand longer "
        "than the speech.",
    ),
    Metric(
        key="brier",
        title="Error of confidence (Brier)",
        unit="",
        about="Mean squared distance of each word's confidence from whether it is right: 0 is perfect, 0.25 a coin.",
    ),
    Metric(
        key="language",
        title="Languages detected right",
        unit="%",
        scale=100,
        lower_is_better=False,
        about="Only with --detect-language.",
    ),
    Metric(
        key="speed",
        title="Speed",
        unit="× real time",
        lower_is_better=False,
        is_timed=True,
        about="Seconds of sound for each second of work, one file after the other, the model loaded.",
    ),
)


@dataclass(frozen=True, slots=True)
class Judged:
    """`values` are the parts of each metric; `certainty` is each word's confidence and whether it is right."""

    values: dict[str, tuple[float, ...]]
    certainty: tuple[tuple[float, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class _Token:
    """A part of a word in comparable form; `source` is the index of its line or word."""

    text: str
    source: int


def judge(item: AudioItem, answer: SpeechAnswer) -> Judged:
    """Everything but speed. Words inside times that do not count are left out."""
    words = [word for word in answer.words if not _is_ignored(word, item)]
    said, recognized = item.text or "", " ".join(word.text for word in words)
    wanted, given = words_of(said, item.language), words_of(recognized, item.language)
    if not wanted:
        return Judged({"invented": (float(bool(given)), 1)})
    values = _error_rates(wanted, given)
    lines = item.lines or ()
    spoken = _tokens([line.text for line in lines] if lines else [said], item.language)
    answered = _tokens([word.text for word in words], item.language)
    matches = _matches(spoken, answered)
    values |= _line_times(item, words, spoken, answered, matches)
    certainty = _certainty(words, answered, {other for _, other in matches})
    if certainty:
        error = sum((confidence - right) ** 2 for confidence, right in certainty)
        values["brier"] = (error, len(certainty))
    return Judged(values, certainty)


def _is_ignored(word: SpokenWord, item: AudioItem) -> bool:
    if word.start_ms is None or word.end_ms is None:
        return False
    middle = (word.start_ms + word.end_ms) / 2
    return any(start <= middle < end for start, end in item.ignored)


def _error_rates(wanted: list[str], given: list[str]) -> dict[str, tuple[float, ...]]:
    count = len(wanted)
    letters, answered = characters_of(wanted), characters_of(given)
    if not given:
        return {
            "wer": (count, count),
            "cer": (len(letters), len(letters)),
            "replaced": (0, count),
            "left_out": (count, count),
            "added": (0, count),
        }
    by_word = jiwer.process_words(" ".join(wanted), " ".join(given))
    by_letter = jiwer.process_characters(letters, answered)
    return {
        "wer": (by_word.substitutions + by_word.deletions + by_word.insertions, count),
        "cer": (by_letter.substitutions + by_letter.deletions + by_letter.insertions, len(letters)),
        "replaced": (by_word.substitutions, count),
        "left_out": (by_word.deletions, count),
        "added": (by_word.insertions, count),
    }


def _tokens(texts: Sequence[str], language: str) -> list[_Token]:
    return list(
        chain.from_iterable(
            (_Token(token, source) for token in plain_words(text, language)) for source, text in enumerate(texts)
        )
    )


def _matches(spoken: Sequence[_Token], answered: Sequence[_Token]) -> list[tuple[int, int]]:
    """Pairs of equal tokens in the best alignment, by index."""
    if not spoken or not answered:
        return []
    aligned = jiwer.process_words(
        " ".join(token.text for token in spoken), " ".join(token.text for token in answered)
    ).alignments[0]
    return [
        (chunk.ref_start_idx + step, chunk.hyp_start_idx + step)
        for chunk in aligned
        if chunk.type == "equal"
        for step in range(chunk.ref_end_idx - chunk.ref_start_idx)
    ]


def _line_times(
    item: AudioItem,
    words: Sequence[SpokenWord],
    spoken: Sequence[_Token],
    answered: Sequence[_Token],
    matches: Sequence[tuple[int, int]],
) -> dict[str, tuple[float, ...]]:
    """Distances of lines whose first or last word was recognised."""
    starts: list[int] = []
    ends: list[int] = []
    for here, there in matches:
        if not item.lines:
            break
        line, word = item.lines[spoken[here].source], words[answered[there].source]
        is_first = here == 0 or spoken[here - 1].source != spoken[here].source
        is_last = here == len(spoken) - 1 or spoken[here + 1].source != spoken[here].source
        if is_first and word.start_ms is not None:
            starts.append(abs(word.start_ms - line.start_ms))
        if is_last and word.end_ms is not None:
            ends.append(abs(word.end_ms - line.end_ms))
    found = {"line_start": starts, "line_end": ends}
    return {key: (float(sum(distances)), len(distances)) for key, distances in found.items() if distances}


def _certainty(
    words: Sequence[SpokenWord], answered: Sequence[_Token], right: set[int]
) -> tuple[tuple[float, bool], ...]:
    """A word is right when all of its parts are."""
    wrong = {token.source for index, token in enumerate(answered) if index not in right}
    counted = {token.source for token in answered}
    return tuple(
        (word.confidence, source not in wrong)
        for source, word in enumerate(words)
        if word.confidence is not None and source in counted
    )
