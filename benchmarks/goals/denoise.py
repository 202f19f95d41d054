"""`python -m benchmarks denoise`: speech in steady noise, heard with and without the denoiser."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.goals.report import Report
from benchmarks.quiet import silence_logs
from pipelines.evidence.errors import WordErrors, word_errors
from pipelines.media.sample import SAMPLE_TEXT
from serve.tasks.transcription.denoiser.denoiser import Denoiser
from serve.tasks.transcription.denoiser.folder import DenoiserModel
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine
from serve.testing.sound import read
from serve.testing.tiny_denoiser.folder import WEIGHTS, denoiser_folder

VOICES = ("rms", "slt")
BEFORE_S, AFTER_S = 0.5, 0.25
"""Noise alone, as at the start of a recording: a denoiser learns from it what the noise is."""


def command(
    decibels: Annotated[
        list[float] | None, typer.Option(help="How much louder speech is than noise; repeat it. Default: 30 to 5.")
    ] = None,
) -> None:
    silence_logs()
    report = Report("denoise")
    with (
        tempfile.TemporaryDirectory(prefix="denoise-") as work,
        closing(PocketSphinxEngine(reason="It is measured.")) as engine,
    ):
        folder = denoiser_folder(Path(work))
        denoiser = Denoiser(DenoiserModel(folder, folder / WEIGHTS))
        spoken = [(text, _speak(text, voice, Path(work))) for text in SAMPLE_TEXT for voice in VOICES]
        for ratio in (None, *(decibels or (30.0, 25.0, 20.0, 15.0, 10.0, 5.0))):
            name = "clean speech" if ratio is None else f"speech {ratio:g} dB above noise"
            bare, cleaned = _errors(engine, denoiser, spoken, ratio)
            report.figure(f"{name}: word errors without", bare.percent, "%", words=bare.words)
            report.figure(f"{name}: word errors with the denoiser", cleaned.percent, "%", words=cleaned.words)
    report.note(
        "The built-in engine and a tiny denoiser that subtracts steady noise by arithmetic, on white noise: they say "
        "that the way through the product works, not how much a published model helps. Measure that with `sagascript "
        "models compare` on your own noisy recordings, once with `denoise: true` in the profile and once without."
    )
    report.write()


def _errors(
    engine: PocketSphinxEngine,
    denoiser: Denoiser,
    spoken: Sequence[tuple[str, NDArray[np.float64]]],
    ratio: float | None,
) -> tuple[WordErrors, WordErrors]:
    dice = np.random.default_rng(1)
    bare, cleaned = [], []
    for text, speech in spoken:
        sound = np.pad(speech, (round(BEFORE_S * SAMPLE_RATE), round(AFTER_S * SAMPLE_RATE)))
        if ratio is not None:
            level = np.sqrt(np.mean(speech**2) / 10 ** (ratio / 10))
            sound = sound + dice.normal(0, level, len(sound))
        pcm = np.clip(sound, -32768, 32767).astype("<i2").tobytes()
        bare.append(word_errors(text, _heard(engine, pcm), "en"))
        cleaned.append(word_errors(text, _heard(engine, denoiser(pcm)), "en"))
    return WordErrors.sum(bare), WordErrors.sum(cleaned)


def _heard(engine: PocketSphinxEngine, pcm: bytes) -> str:
    (outcome,) = engine.run([AudioWindow("denoise", 0, 0, pcm, DecodeOptions(language="en"))])
    return " ".join(part.text for part in outcome.segments) if isinstance(outcome, WindowResult) else ""


def _speak(text: str, voice: str, folder: Path) -> NDArray[np.float64]:
    said = folder / "said.wav"
    subprocess.run(["flite", "-voice", voice, "-t", text, "-o", said], check=True)
    return read(said).astype(np.float64)
