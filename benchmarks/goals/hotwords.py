"""`python -m benchmarks hotwords`: names that a team's glossary plants, heard with and without it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.goals.report import Report
from serve.core.messages import EngineRefused
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions
from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.tasks.transcription.sherpa.families.zipformer import Zipformer
from serve.testing.tiny_speller.folders import zipformer_speller
from serve.testing.tiny_speller.sentences import random_sentence
from serve.testing.tiny_speller.spoken import VOICES, speak

FIRST_SEED = 2_000_000
TERMS: tuple[str, ...] = (
    *("akureyri", "borgarnes", "hofsos", "husavik", "isafjordur", "keflavik", "kopavogur", "olafsvik"),
    *("selfoss", "stokkseyri", "aberdeen", "ballymena", "carlisle", "dundalk", "edinburgh", "fermanagh"),
    *("galway", "hereford", "inverness", "kilkenny", "albuquerque", "baltimore", "cheyenne", "duluth"),
    *("escondido", "fargo", "galveston", "honolulu", "juneau", "kalamazoo", "bergamo", "cordoba"),
    *("dusseldorf", "florence", "gibraltar", "heidelberg", "ljubljana", "marseille", "nuremberg", "odense"),
    *("bangalore", "colombo", "dhaka", "jakarta", "karachi", "lahore", "manila", "osaka"),
    *("penang", "yokohama"),
)
"""Place names that the tiny speller has never heard."""


@dataclass(frozen=True, slots=True)
class _Example:
    window: AudioWindow
    words: tuple[str, ...]
    planted: str


def command(
    sentences: Annotated[int, typer.Option(min=1, help="Sentences with each term, and as many without any.")] = 4,
) -> None:
    report = Report("hotwords")
    with tempfile.TemporaryDirectory(prefix="hotwords-") as work:
        engine = SherpaEngine(Zipformer(), zipformer_speller(Path(work)), name="speller", reason="Bench.")
        with_terms = [_example(Path(work), index, term) for index, term in enumerate(TERMS * sentences)]
        without = [_example(Path(work), 10_000 + index, "") for index in range(len(with_terms))]
        recall, false_ones = [], []
        for label, terms in (("without the glossary", ()), ("with the glossary", TERMS)):
            heard = [_words(engine, example, terms) for example in with_terms]
            found = sum(example.planted in words for example, words in zip(with_terms, heard, strict=True))
            recall.append(100 * found / len(with_terms))
            report.figure(f"planted terms heard {label}", recall[-1], "%", terms=len(with_terms))
            other = [_words(engine, example, terms) for example in without]
            said = (*zip(with_terms, heard, strict=True), *zip(without, other, strict=True))
            false = sum(word in TERMS and word != example.planted for example, words in said for word in words)
            false_ones.append(100 * false / sum(len(words) for _, words in said))
            right = sum(len(set(words) & set(example.words)) for words, example in zip(other, without, strict=True))
            known = sum(len(set(example.words)) for example in without)
            report.figure(f"other words heard {label}", 100 * right / known, "%", words=known)
        report.goal("hotwords", recall[1] - recall[0], terms=len(with_terms))
        report.goal("hotwords-false", false_ones[1], without_glossary=false_ones[0])
        engine.close()
    report.note(
        "50 place names in sentences of the manual's words, spoken by flite. The tiny model never heard the names and "
        "spells them by their sound; all 50 are given with every sentence, also with those that hold none."
    )
    report.note(
        "Terms count more for a model that writes single letters, as this one, than for published ones, whose pieces "
        "are several letters: those keep sherpa-onnx's own bonus, which was not measured."
    )
    report.write()


def _example(work: Path, index: int, planted: str) -> _Example:
    dice = np.random.default_rng(FIRST_SEED + index)
    words = random_sentence(dice, least=3, most=6)
    if planted:
        words.insert(int(dice.integers(1, len(words) + 1)), planted)
    spoken = speak(words, work, voice=VOICES[index % len(VOICES)])
    pcm = (np.clip(spoken.samples, -1, 1) * 32767).astype("<i2").tobytes()
    return _Example(AudioWindow("bench", index, 0, pcm), tuple(words), planted)


def _words(engine: SherpaEngine, example: _Example, terms: Sequence[str]) -> list[str]:
    window = example.window
    options = DecodeOptions(language="en", terms=tuple(terms))
    (outcome,) = engine.run([AudioWindow(window.stream, window.index, 0, window.pcm, options)])
    if isinstance(outcome, EngineRefused):
        raise outcome
    return [word.text for segment in outcome.segments for word in segment.words]
