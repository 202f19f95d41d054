"""Scores of an AI text: against a person's text, and against what was said."""

from __future__ import annotations

from benchmarks.measure.models.text.rouge import rouge_l, rouge_n
from benchmarks.measure.models.text.transcripts import Transcript
from benchmarks.measure.outcomes.outcome import Metric
from pipelines.messages.minutes import BlockKind, MinutesResult
from pipelines.translation.texts.names import lost_names, names_in
from serve.core.text.compared_words import plain_words

_ROUGE = "F1 of {} shared with the text that a person wrote; for models against each other, not as a grade."

METRICS = (
    Metric(
        key="grounded",
        title="Sentences with support",
        unit="%",
        scale=100,
        lower_is_better=False,
        about="Sentences whose cited lines hold their numbers, names, dates, negations and enough of their words, by "
        "the check that the product shows to people.",
    ),
    Metric(
        key="rouge1",
        title="ROUGE-1",
        unit="",
        scale=100,
        lower_is_better=False,
        about=_ROUGE.format("words"),
    ),
    Metric(
        key="rouge2",
        title="ROUGE-2",
        unit="",
        scale=100,
        lower_is_better=False,
        about=_ROUGE.format("pairs of words"),
    ),
    Metric(
        key="rougeL",
        title="ROUGE-L",
        unit="",
        scale=100,
        lower_is_better=False,
        about=_ROUGE.format("the longest sequence of words"),
    ),
    Metric(
        key="names",
        title="Names covered",
        unit="%",
        scale=100,
        lower_is_better=False,
        about="Names of the reference, or without one of the transcript, that stand in the text, inflected or not.",
    ),
    Metric(
        key="covered",
        title="Speech behind the text",
        unit="%",
        scale=100,
        lower_is_better=False,
        about="Speech of the minutes in which a line begins that a supported sentence cites.",
    ),
    Metric(
        key="length",
        title="Length",
        unit="% of transcript",
        scale=100,
        is_judged=False,
        about="Words of the text for each 100 of the transcript.",
    ),
    Metric(
        key="speed",
        title="Speed",
        unit="words/s",
        lower_is_better=False,
        is_timed=True,
        about="Words of transcript for each second of work, one text after the other, the model loaded.",
    ),
)


def text_of(result: MinutesResult) -> str:
    """The text as a person reads it, a block a line."""
    blocks = (" ".join(sentence.text for sentence in block.sentences) for block in result.blocks)
    return "\n".join(part for part in (result.title, *blocks) if part)


def judge(transcript: Transcript, result: MinutesResult, seconds: float) -> dict[str, tuple[float, ...]]:
    language = transcript.language
    text = text_of(result)
    said = " ".join(line.text for line in transcript.lines)
    spoken = len(plain_words(said, language))
    # Headings state nothing.
    stated = [each for block in result.blocks if block.kind is not BlockKind.HEADING for each in block.sentences]
    values: dict[str, tuple[float, ...]] = {
        "grounded": (sum(bool(each.line_ids) and not each.unsupported for each in stated), len(stated)),
        "covered": (result.covered_ms, result.total_ms),
        "length": (len(plain_words(text, language)), spoken),
        "speed": (spoken, seconds),
    }
    reference = transcript.references.get(result.type)
    if reference:
        values["rouge1"] = (rouge_n(text, reference, language, 1), 1)
        values["rouge2"] = (rouge_n(text, reference, language, 2), 1)
        values["rougeL"] = (rouge_l(text, reference, language), 1)
    speakers = {line.speaker for line in transcript.lines if line.speaker}
    if wanted := names_in(reference or said, language, speakers):
        lost = lost_names(reference or said, text, language, speakers)
        values["names"] = (len(wanted) - len(lost), len(wanted))
    return values
