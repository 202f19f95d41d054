"""Scores of who speaks when, and of who says which word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.util import find_spec

import jiwer
import numpy as np
from scipy.optimize import linear_sum_assignment

from benchmarks.measure.datasets.folder import AudioItem
from benchmarks.measure.datasets.references import ReferenceLine
from benchmarks.measure.outcomes.outcome import Metric
from pipelines.captions.line_builder import lines_from_words
from pipelines.captions.texts.word_times import spread_text
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionWord, Origin
from pipelines.messages.speakers import Turn
from pipelines.speakers.assign import assign
from serve.core.text.compared_words import plain_words
from serve.testing.speaker_errors import Spoken, diarization_errors, jaccard_errors

COLLAR_MS = 250

METRICS = (
    Metric(
        key="der",
        title="Diarization error rate",
        unit="%",
        scale=100,
        about="Missed, wrong and invented speech as a share of all speech; overlaps count, without a collar.",
    ),
    Metric(
        key="der_collar",
        title=f"Diarization error rate, collar {COLLAR_MS} ms",
        unit="%",
        scale=100,
        about="The same without the moments around each true boundary, as older tables have it.",
    ),
    Metric(
        key="der_pyannote",
        title="Diarization error rate by pyannote.metrics",
        unit="%",
        scale=100,
        about="The first one as pyannote's own library counts it, where that is installed.",
    ),
    Metric(
        key="jer",
        title="Jaccard error rate",
        unit="%",
        scale=100,
        about="Mean over speakers, however little they say: a lost minor speaker counts as much as a lost major one.",
    ),
    Metric(key="missed", title="Missed speech", unit="%", scale=100, about="Part of the diarization error rate."),
    Metric(key="false_alarm", title="Invented speech", unit="%", scale=100, about="Part of the error rate."),
    Metric(key="confused", title="Wrong speaker", unit="%", scale=100, about="Part of the diarization error rate."),
    Metric(
        key="count",
        title="Error of the number of speakers",
        unit="",
        about="Mean distance of the number of speakers from the true one.",
    ),
    Metric(
        key="cpwer",
        title="Words at the wrong speaker (cpWER)",
        unit="%",
        scale=100,
        about="The true words, at even distances in their lines, are given to speakers as the product does; errors of "
        "each speaker's words with the best matching of speakers (Watanabe and others 2020).",
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


def judge(item: AudioItem, turns: Sequence[Turn]) -> dict[str, tuple[float, ...]]:
    """Everything but speed."""
    exact = diarization_errors(item.turns, turns, scored=item.scored)
    collar = diarization_errors(item.turns, turns, collar_ms=COLLAR_MS, scored=item.scored)
    jaccard, speakers = jaccard_errors(item.turns, turns, scored=item.scored)
    found = len({turn.speaker for turn in turns})
    values: dict[str, tuple[float, ...]] = {
        "der": (exact.missed + exact.false_alarm + exact.confused, exact.total),
        "der_collar": (collar.missed + collar.false_alarm + collar.confused, collar.total),
        "jer": (jaccard, speakers),
        "missed": (exact.missed, exact.total),
        "false_alarm": (exact.false_alarm, exact.total),
        "confused": (exact.confused, exact.total),
        "count": (abs(found - speakers), 1),
    }
    if find_spec("pyannote") is not None and find_spec("pyannote.metrics") is not None:
        values["der_pyannote"] = (exact.total * pyannote_rate(item, turns), exact.total)
    if any(line.speaker for line in item.lines):
        values["cpwer"] = word_errors(item.lines, turns, item.language)
    return values


def pyannote_rate(item: AudioItem, turns: Sequence[Turn]) -> float:
    """The error rate of pyannote.metrics over the same stretches of the file."""
    from pyannote.core import Annotation, Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate

    def annotation(spoken: Iterable[Spoken]) -> Annotation:
        made = Annotation()
        for number, turn in enumerate(spoken):
            made[Segment(turn.start_ms / 1000, turn.end_ms / 1000), number] = turn.speaker
        # Nobody speaks twice at once, and two sentences of one person may overlap in a made conversation.
        return made.support()

    ends = [turn.end_ms for turn in item.turns] + [turn.end_ms for turn in turns]
    stretches = item.scored or [(0, max(ends))]
    whole = Timeline([Segment(start / 1000, end / 1000) for start, end in stretches])
    return float(DiarizationErrorRate()(annotation(item.turns), annotation(turns), uem=whole))


def word_errors(lines: Sequence[ReferenceLine], turns: Sequence[Turn], language: str) -> tuple[float, int]:
    """Wrong words with the matching of speakers that has the fewest, and how many words there are."""
    words = [
        CaptionWord(word.start_ms, word.end_ms, word.text, Origin.ASR, 1.0)
        for line in lines
        for word in spread_text(line.text, line.start_ms, line.end_ms, Origin.ASR)
    ]
    answered = assign(lines_from_words(sorted(words, key=lambda word: word.start_ms), DEFAULT_RULES), turns)
    truth = _by_speaker([(line.speaker, line.text) for line in lines], language)
    given = _by_speaker([(line.speaker or "", line.text) for line in answered], language)
    size = max(len(truth), len(given))
    # Whoever has no match is compared with silence.
    truth += [[]] * (size - len(truth))
    given += [[]] * (size - len(given))
    costs = np.array([[_edits(one, other) for other in given] for one in truth])
    return float(costs[linear_sum_assignment(costs)].sum()), sum(map(len, truth))


def _by_speaker(texts: Sequence[tuple[str, str]], language: str) -> list[list[str]]:
    """The words of each speaker in order."""
    said: dict[str, list[str]] = {}
    for speaker, text in texts:
        said.setdefault(speaker, []).extend(plain_words(text.replace("\n", " "), language))
    return list(said.values())


def _edits(truth: list[str], given: list[str]) -> int:
    if not truth or not given:
        return len(truth) + len(given)
    errors = jiwer.process_words(" ".join(truth), " ".join(given))
    return errors.substitutions + errors.deletions + errors.insertions
