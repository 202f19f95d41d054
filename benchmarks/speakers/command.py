"""`python -m benchmarks speakers`: who speaks when on made conversations, and goal 24, speech and speakers together."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.report import Report
from benchmarks.speakers.conversations import CONVERSATIONS, Conversation
from benchmarks.speakers.together import measure_together
from pipelines.captions.line_builder import lines_from_words
from pipelines.captions.lines import CaptionWord, Origin
from pipelines.captions.rules import DEFAULT_RULES
from pipelines.captions.word_times import spread_text
from pipelines.flows.speakers_messages import SpeakersResult
from pipelines.speakers.assign import assign
from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
from serve.diarization.sherpa import SherpaEngine
from serve.testing.speaker_errors import DiarizationErrors, diarization_errors
from serve.testing.tiny_speakers.archive import speakers_folder
from serve.testing.tiny_speakers.dialogue import Dialogue

COLLARS_MS = (0, 250)
NOTES = (
    "Conversations of flite's voices rms, slt and awb, and the tiny models that know only these: the figures check "
    "grouping, turns and assignment, and say nothing about the accuracy of real models.",
    "Goal 24: both flows on one file, each model in a process of its own, speech by random weights of Whisper base's "
    "shape. On two cores the core-seconds of both together over those of each alone count.",
    "cpWER: true words at even distances in their utterance, so that only the speaker of a word can be wrong.",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one way to find the speakers of a conversation."""

    way: str
    result: SpeakersResult


def command(
    sentences: Annotated[int, typer.Option(min=10, help="Sentences of each conversation.")] = 60,
    seconds: Annotated[int, typer.Option(min=60, help="Length of the file of goal 24.")] = 180,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count for goal 24.")] = 5,
) -> None:
    report = Report("speakers")
    with tempfile.TemporaryDirectory(prefix="speakers-") as work:
        folder = Path(work)
        engine = SherpaEngine(speakers_folder(folder), reason="Benchmark.", parallel=1)
        for number, conversation in enumerate(CONVERSATIONS):
            dialogue = conversation.made(sentences, seed=500 + number)
            place = folder / str(number)
            place.mkdir()
            for answer in _answers(dialogue, conversation, engine, place):
                _score(report, f"{conversation.name}, {answer.way}", dialogue, answer.result)
        measure_together(report, folder, seconds=seconds, pairs=pairs)
    for sentence in NOTES:
        report.note(sentence)
    report.write()


def _answers(dialogue: Dialogue, conversation: Conversation, engine: SherpaEngine, folder: Path) -> Iterator[Answer]:
    runs, client = SpeakerRuns(folder), InProcessDiarizer(engine)
    try:
        yield Answer("number detected", runs.result(runs.request(dialogue.samples), client))
        known = runs.request(dialogue.samples, speakers=len(conversation.voices))
        yield Answer("number given", runs.result(known, client))
        if len(conversation.voices) == 2:
            channels = conversation.channels(dialogue)
            yield Answer("channels", runs.result(runs.request(dialogue.samples, channels=channels), client))
    finally:
        client.stop()


def _score(report: Report, name: str, dialogue: Dialogue, result: SpeakersResult) -> None:
    for collar_ms in COLLARS_MS:
        errors = diarization_errors(dialogue.utterances, result.turns, collar_ms=collar_ms)
        report.figure(f"{name}: DER, collar {collar_ms} ms", 100 * errors.rate, "%", **_parts(errors))
    report.figure(f"{name}: speakers", len({turn.speaker for turn in result.turns}), "")
    report.figure(f"{name}: cpWER", 100 * _cp_word_error_rate(dialogue, result), "%")


def _parts(errors: DiarizationErrors) -> dict[str, int]:
    return {
        "missed_ms": errors.missed,
        "false_alarm_ms": errors.false_alarm,
        "confused_ms": errors.confused,
        "total_ms": errors.total,
    }


def _cp_word_error_rate(dialogue: Dialogue, result: SpeakersResult) -> float:
    """Concatenated minimum-permutation word error rate (Watanabe and others 2020) of the assigned lines."""
    # Imported here: it is in the extra `bench`.
    from meeteval.wer.wer.cp import cp_word_error_rate

    words = [
        CaptionWord(word.start_ms, word.end_ms, word.text, Origin.ASR, 0.9)
        for said in dialogue.utterances
        for word in spread_text(said.text, said.start_ms, said.end_ms, Origin.ASR)
    ]
    lines = assign(lines_from_words(words, DEFAULT_RULES), result.turns)
    spoken = ((said.speaker, said.text) for said in dialogue.utterances)
    answered = ((line.speaker or "", line.text.replace("\n", " ")) for line in lines)
    rate = cp_word_error_rate(_by_speaker(list(spoken)), _by_speaker(list(answered))).error_rate
    return float(rate)


def _by_speaker(texts: Sequence[tuple[str, str]]) -> list[str]:
    """What each speaker says in all."""
    joined: dict[str, list[str]] = {}
    for speaker, text in texts:
        joined.setdefault(speaker, []).append(text)
    return [" ".join(parts) for parts in joined.values()]
