"""`python -m benchmarks align`: times of words that people change, against the times at which they were spoken."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Annotated

import numpy as np
import typer

from benchmarks.goals.report import Report
from pipelines.captions.edits.realign import realign
from pipelines.captions.edits.unmeasured import unmeasured_runs, with_times
from pipelines.messages.lines import CaptionLine, CaptionWord
from serve.core.messages import EngineRefused
from serve.core.settings import ModelSettings
from serve.tasks.alignment.choice import choose_alignment
from serve.tasks.alignment.engine import CtcAligner
from serve.tasks.alignment.load import load_chosen
from serve.tasks.alignment.messages import TextWindow
from serve.tasks.alignment.profile import AlignmentProfile
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow
from serve.testing.tiny_speller.folders import omnilingual_speller
from serve.testing.tiny_speller.sentences import random_sentence
from serve.testing.tiny_speller.spoken import VOICES, Spoken, SpokenWord, speak

FIRST_SEED = 1_000_000
"""No sentence is one that the model was trained on."""
ENGINE_ERROR_MS = 40
"""The words around a change have times of a speech engine, which errs by up to this much."""
Errors = dict[str, list[int]]


def command(edits: Annotated[int, typer.Option(min=10, help="Changed places.")] = 500) -> None:
    report = Report("align")
    with tempfile.TemporaryDirectory(prefix="align-") as work:
        folder = omnilingual_speller(Path(work) / "models")
        profile = AlignmentProfile(engine="auto")
        aligner = load_chosen(profile, choose_alignment(profile, ModelSettings(), folder.parent))
        errors: Errors = {"changed": [], "spread": [], "untouched": [], "whole": []}
        done = 0
        for index, spoken in enumerate(_sentences(Path(work))):
            dice = np.random.default_rng(index)
            if done >= edits:
                break
            done += _edit(spoken, aligner, dice, errors)
            _whole(spoken, aligner, errors)
    report.goal("align", median(errors["changed"]), times=len(errors["changed"]))
    report.figure("changed words, 95 of 100 within", float(np.percentile(errors["changed"], 95)), "ms", times=done)
    report.figure("changed words without the model, median error", median(errors["spread"]), "ms")
    report.goal("align-untouched", max(errors["untouched"]), words=len(errors["untouched"]))
    report.figure("whole sentences, median error", median(errors["whole"]), "ms", times=len(errors["whole"]))
    report.note(
        "Sentences of the manual's words spoken by flite, whose phones have known times; the tiny model learned from "
        "others by the same voices, so the figures say how the method places words, not how a published model hears."
    )
    report.note(
        "An edit puts one to three words in place of wrong ones; the words around it have times that are up to "
        f"{ENGINE_ERROR_MS} ms off."
    )
    report.write()


def _sentences(work: Path) -> Iterator[Spoken]:
    seed = FIRST_SEED
    while True:
        dice = np.random.default_rng(seed)
        spoken = speak(random_sentence(dice, least=5, most=9), work, voice=VOICES[seed % len(VOICES)])
        seed += 1
        if spoken.words is not None:
            yield spoken


def _edit(spoken: Spoken, aligner: CtcAligner, dice: np.random.Generator, errors: Errors) -> int:
    """Change wrong words into the spoken ones, as a person would, and measure where they are put."""
    truth = spoken.words or ()
    count = int(dice.integers(1, 4))
    first = int(dice.integers(0, len(truth) - count + 1))
    line = _misheard(truth, first, count, dice)
    words = realign(line, spoken.text)
    changed = range(first, first + count)
    for index, word in enumerate(truth):
        if index in changed:
            errors["spread"] += _off(words[index].start_ms, words[index].end_ms, word)
    fresh = tuple(replace(word, confidence=None) if index in changed else word for index, word in enumerate(words))
    timed = fresh
    for run in unmeasured_runs(fresh, line.start_ms, line.end_ms):
        texts = tuple(word.text for word in fresh[run.start : run.stop])
        (outcome,) = aligner.run([TextWindow(_window(spoken, run.from_ms, run.to_ms), texts)])
        if isinstance(outcome, EngineRefused) or not outcome.words:
            continue
        timed = with_times(timed, run, [(each.start_ms, each.end_ms) for each in outcome.words], 1.0)
    for index, word in enumerate(truth):
        if index in changed:
            errors["changed"] += _off(timed[index].start_ms, timed[index].end_ms, word)
        else:
            errors["untouched"].append(abs(timed[index].start_ms - line_word(line, index, first, count).start_ms))
    return 1


def line_word(line: CaptionLine, index: int, first: int, count: int) -> CaptionWord:
    """The untouched word of the misheard line: one wrong word stands for those that were changed."""
    return line.words[index if index < first else index - count + 1]


def _misheard(truth: tuple[SpokenWord, ...], first: int, count: int, dice: np.random.Generator) -> CaptionLine:
    """The line as an engine heard it: one wrong word where the changed ones are spoken."""
    words: list[CaptionWord] = []
    for index, word in enumerate(truth):
        if first < index < first + count:
            continue
        end = truth[first + count - 1].end_ms if index == first else word.end_ms
        text = "mumble" if index == first else word.text
        shift = [int(dice.integers(-ENGINE_ERROR_MS, ENGINE_ERROR_MS + 1)) for _ in range(2)]
        start = max(words[-1].end_ms if words else 0, word.start_ms + shift[0])
        words.append(CaptionWord(start, max(start + 1, end + shift[1]), text, confidence=0.9))
    return CaptionLine("line", words[0].start_ms, words[-1].end_ms, " ".join(word.text for word in words), tuple(words))


def _whole(spoken: Spoken, aligner: CtcAligner, errors: Errors) -> None:
    """A whole sentence without any times, as for an engine that gives none."""
    truth = spoken.words or ()
    window = _window(spoken, 0, len(spoken.samples) * 1000 // SAMPLE_RATE)
    (outcome,) = aligner.run([TextWindow(window, tuple(word.text for word in truth))])
    if isinstance(outcome, EngineRefused):
        return
    for found, word in zip(outcome.words, truth, strict=True):
        errors["whole"] += _off(found.start_ms, found.end_ms, word)


def _off(start_ms: int, end_ms: int, word: SpokenWord) -> list[int]:
    return [abs(start_ms - word.start_ms), abs(end_ms - word.end_ms)]


def _window(spoken: Spoken, from_ms: int, to_ms: int) -> AudioWindow:
    first, last = (max(0, at) * SAMPLE_RATE // 1000 for at in (from_ms, to_ms))
    pcm = (np.clip(spoken.samples[first:last], -1, 1) * 32767).astype("<i2").tobytes()
    return AudioWindow("align", 0, from_ms, pcm)
