"""The alignment engine on a tiny trained model: words get the times at which flite spoke them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from serve.core.messages import NO_ENGINE, EngineProblem, EngineRefused
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.tasks.alignment.choice import choose_alignment
from serve.tasks.alignment.engine import CtcAligner
from serve.tasks.alignment.load import load_chosen
from serve.tasks.alignment.messages import AlignedText, TextWindow
from serve.tasks.alignment.profile import AlignmentProfile
from serve.tasks.transcription.messages import AudioWindow
from serve.testing.tiny_speller.folders import omnilingual_speller
from serve.testing.tiny_speller.spoken import VOICES, Spoken, speak

SENTENCE = ["every", "recording", "has", "a", "page", "of", "its", "own"]
AT_MS = 60_000
PROFILE = AlignmentProfile()
LEAST_SCORE = 0.15
"""What the pipeline requires of a text."""


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return omnilingual_speller(tmp_path_factory.mktemp("aligner")).parent


@pytest.fixture(scope="module")
def aligner(models: Path) -> CtcAligner:
    return load_chosen(PROFILE, choose_alignment(PROFILE, ModelSettings(), models))


def window_of(spoken: Spoken) -> AudioWindow:
    pcm = (np.clip(spoken.samples, -1, 1) * 32767).astype("<i2").tobytes()
    return AudioWindow("film", 3, AT_MS, pcm)


def aligned(aligner: CtcAligner, window: AudioWindow, words: Sequence[str]) -> AlignedText:
    (outcome,) = aligner.run([TextWindow(window, tuple(words))])
    assert isinstance(outcome, AlignedText)
    return outcome


@pytest.mark.parametrize("voice", VOICES)
def test_words_are_where_they_are_spoken(aligner: CtcAligner, tmp_path: Path, voice: str) -> None:
    spoken = speak(SENTENCE, tmp_path, voice=voice)
    window = window_of(spoken)
    text = aligned(aligner, window, [SENTENCE[0].title(), *SENTENCE[1:-1], SENTENCE[-1] + "."])
    assert text.index == 3
    errors = [
        abs(made - AT_MS - true)
        for found, word in zip(text.words, spoken.words or (), strict=True)
        for made, true in ((found.start_ms, word.start_ms), (found.end_ms, word.end_ms))
    ]
    assert max(errors) <= 140
    assert sorted(errors)[len(errors) // 2] <= 40
    assert all(one.end_ms <= other.start_ms for one, other in pairwise(text.words))
    assert LEAST_SCORE < sum(word.score for word in text.words) / len(SENTENCE) <= 1
    assert text.words[0].start_ms >= AT_MS
    assert text.words[-1].end_ms <= AT_MS + window.duration_ms


def test_a_word_without_letters_stands_between_its_neighbours(aligner: CtcAligner, tmp_path: Path) -> None:
    spoken = speak(SENTENCE, tmp_path)
    words = aligned(aligner, window_of(spoken), ["every", "録音", *SENTENCE[2:]]).words
    truth = spoken.words or ()
    assert abs(words[1].start_ms - AT_MS - truth[1].start_ms) <= 200
    assert abs(words[2].start_ms - AT_MS - truth[2].start_ms) <= 140


def test_a_text_that_does_not_fit_or_is_not_spoken(aligner: CtcAligner, tmp_path: Path) -> None:
    window = window_of(speak(SENTENCE, tmp_path))
    assert aligned(aligner, window, SENTENCE * 40).words == ()
    nothing = aligned(aligner, AudioWindow("film", 0, 0, b""), ["recording"]).words
    assert [(word.start_ms, word.end_ms) for word in nothing] == [(0, 0)]
    wrong = aligned(aligner, window, ["wizards", "juggle", "quickly", "before", "dawn"]).words
    assert sum(word.score for word in wrong) / len(wrong) < LEAST_SCORE


def test_sound_that_is_damaged_is_refused_and_its_neighbour_is_not(aligner: CtcAligner, tmp_path: Path) -> None:
    window = window_of(speak(SENTENCE, tmp_path))
    broken = AudioWindow("film", 0, 0, b"\0\0\0")
    refused, fine = aligner.run([TextWindow(broken, ("word",)), TextWindow(window, tuple(SENTENCE))])
    assert isinstance(refused, EngineRefused)
    assert refused.problem is EngineProblem.BAD_INPUT
    assert isinstance(fine, AlignedText)
    assert len(fine.words) == len(SENTENCE)


def test_the_choice_says_what_it_found(models: Path, tmp_path: Path) -> None:
    assert "models pull omnilingual" in choose_alignment(PROFILE, ModelSettings(), tmp_path / "none").info.reason
    off = choose_alignment(AlignmentProfile(engine="none"), ModelSettings(), models)
    assert (off.info.engine, off.model) == (NO_ENGINE, None)
    copied = Path(shutil.copytree(models, tmp_path / "models"))
    (folder,) = (path for path in copied.iterdir() if "omnilingual" in path.name)
    assert f"“{folder.name}”" in choose_alignment(PROFILE, ModelSettings(), copied).info.reason
    (folder / "tokens.txt").write_text("nonsense")
    broken = choose_alignment(PROFILE, ModelSettings(), copied)
    assert broken.model is None
    assert f"“{folder.name}” cannot be used" in broken.info.reason


def test_a_model_that_cannot_be_read_is_named(models: Path, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(models, tmp_path / "models"))
    choice = choose_alignment(PROFILE, ModelSettings(), copied)
    assert choice.model is not None
    whole = choice.model.files["model"].read_bytes()
    choice.model.files["model"].write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelMissing, match=f"“{choice.model.path.name}” cannot be used"):
        load_chosen(PROFILE, choice)
