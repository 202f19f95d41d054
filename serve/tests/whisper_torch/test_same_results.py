"""`whisper_torch` beside `whisper` with the very same weights in float32: languages, tokens, words and times agree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs

from serve.core.messages import EngineProblem, EngineRefused
from serve.core.settings import ModelSettings
from serve.tasks.transcription.doubts import Doubt
from serve.tasks.transcription.load import load_transcription
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.whisper.context import FULL_MS
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.tasks.transcription.whisper.windows import Sound, WhisperWindows
from serve.testing.speech import SpokenClip
from serve.testing.tiny_models.transformers_form import transformers_whisper

pytestmark = pytest.mark.gpu_env

SAME_PROBABILITY = 1e-3
SAME_FRAME_S = 0.021
LONGEST_TIE_S = 0.5
SLOTS = 4
"""Fewer than the windows of a batch, so that windows wait for others to finish."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return transformers_whisper(tmp_path_factory.mktemp("transformers"))


@pytest.fixture(scope="module")
def torch_engine(folder: Path) -> Iterator[WhisperWindows]:
    profile = TranscriptionProfile(engine="whisper_torch", models=("tiny",), hub=False, max_batch=SLOTS, workers=2)
    engine = load_transcription(profile, settings_of(folder), folder)
    assert isinstance(engine, WhisperWindows)
    with closing(engine):
        yield engine


@pytest.fixture(scope="module")
def ct2_engine(models_root: Path) -> Iterator[WhisperWindows]:
    engine = WhisperEngine(
        models_root / "whisper", name="phrasebook", reason="Test.", device="cpu", compute_type="float32", parallel=2
    )
    with closing(engine):
        yield engine


def settings_of(folder: Path) -> ModelSettings:
    return ModelSettings(whisper_model=str(folder), allow_hub=False)


def joined(clips: Sequence[SpokenClip], language: str, count: int) -> AudioWindow:
    """Sentences of one language with pauses, almost a full window; the language is detected."""
    chosen = [clip.pcm for clip in clips if clip.lang == language][:count]
    pause = bytes(2 * SAMPLE_RATE)
    return AudioWindow(language, 0, 60_000, pause.join(chosen)[: 2 * 30 * SAMPLE_RATE], DecodeOptions())


def sounds_of(engine: WhisperWindows, windows: Sequence[AudioWindow]) -> list[Sound]:
    return [engine.checked(window) for window in windows]


def assert_same(ours: Sequence[object], theirs: Sequence[object]) -> None:
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        assert isinstance(one, WindowResult)
        assert isinstance(other, WindowResult)
        assert one.language == other.language
        assert one.language_probability == pytest.approx(other.language_probability, abs=SAME_PROBABILITY)
        assert [(part.text, part.start_ms, part.end_ms, part.doubts) for part in one.segments] == [
            (part.text, part.start_ms, part.end_ms, part.doubts) for part in other.segments
        ]
        words, others = ([word for part in each.segments for word in part.words] for each in (one, other))
        assert [(word.text, word.start_ms, word.end_ms) for word in words] == [
            (word.text, word.start_ms, word.end_ms) for word in others
        ]
        assert [word.confidence for word in words] == pytest.approx(
            [word.confidence for word in others], abs=SAME_PROBABILITY
        )


@pytest.mark.long
def test_every_clip_has_the_same_language_text_words_and_times(
    torch_engine: WhisperWindows, ct2_engine: WhisperWindows, clips: list[SpokenClip]
) -> None:
    windows = [clip.window(index=n, start_ms=n * 1000) for n, clip in enumerate(clips)]
    ours = torch_engine.run(windows)
    assert_same(ours, ct2_engine.run(windows))
    texts = [" ".join(part.text for part in one.segments) for one in ours if isinstance(one, WindowResult)]
    assert texts == [clip.text for clip in clips]


@pytest.mark.long
def test_full_windows_of_many_sentences_have_the_same_tokens_scores_and_word_times(
    torch_engine: WhisperWindows, ct2_engine: WhisperWindows, clips: list[SpokenClip]
) -> None:
    windows = [joined(clips, language, count) for language, count in (("en", 7), ("is", 3))]
    found = [
        engine.recognize(sounds_of(engine, windows), FULL_MS, retry=False) for engine in (torch_engine, ct2_engine)
    ]
    for one, other in zip(*found, strict=True):
        assert one.decoding.tokens == other.decoding.tokens
        assert len(one.decoding.tokens) > 10
        for name in ("average_log_probability", "no_speech_probability"):
            assert getattr(one.decoding, name) == pytest.approx(getattr(other.decoding, name), abs=SAME_PROBABILITY)
        # In a pause two paths through the attention can cost the same, and rounding decides between them.
        words, others = ([word for word in each.words if word.tokens] for each in (one, other))
        assert [(word.text, word.tokens) for word in words] == [(word.text, word.tokens) for word in others]
        apart = [abs(word.start_s - same.start_s) for word, same in zip(words, others, strict=True)]
        assert sum(each < SAME_FRAME_S for each in apart) >= 0.9 * len(apart)
        assert max(apart) < LONGEST_TIE_S


def test_noise_silence_and_bad_windows_are_treated_alike(
    torch_engine: WhisperWindows, ct2_engine: WhisperWindows, clips: list[SpokenClip]
) -> None:
    """Noise fails the guard: it is decoded again with the full context and with draws, whose text differs."""
    noise = np.random.default_rng(3).normal(0, 3000, 6 * SAMPLE_RATE).astype("<i2").tobytes()
    batch = [
        clips[0].window(),
        AudioWindow("noise", 1, 0, noise),
        AudioWindow("silence", 2, 0, bytes(2 * SAMPLE_RATE)),
        clips[1].window(options=DecodeOptions(language="tlh")),
        AudioWindow("odd", 4, 0, b"\1\2\3"),
        clips[20].window(options=DecodeOptions(language=clips[20].lang)),
    ]
    ours, theirs = torch_engine.run(batch), ct2_engine.run(batch)
    problems = [each.problem if isinstance(each, EngineRefused) else None for each in ours]
    assert problems == [None, None, None, EngineProblem.UNKNOWN_LANGUAGE, EngineProblem.BAD_INPUT, None]
    assert problems == [each.problem if isinstance(each, EngineRefused) else None for each in theirs]
    kept = [0, 2, 5]
    assert_same([ours[index] for index in kept], [theirs[index] for index in kept])


def test_a_text_that_fails_the_guard_is_drawn_again_and_keeps_its_doubts(
    torch_engine: WhisperWindows, clips: list[SpokenClip]
) -> None:
    """A sentence repeated eight times looks like a loop of the model."""
    repeated = next(clip for clip in clips if clip.id == "is1-m")
    options = DecodeOptions(language="is", word_times=False)
    looping = AudioWindow("loop", 1, 0, (repeated.pcm + b"\0" * 3200) * 8, options)
    with capture_logs() as logs:
        (outcome,) = torch_engine.run([looping])
    assert isinstance(outcome, WindowResult)
    assert {doubt for part in outcome.segments for doubt in part.doubts} == {Doubt.REPETITIVE, Doubt.LOOP}
    assert [entry["windows"] for entry in logs if entry["event"] == "windows.decoded_again"] == [1]


def test_languages_are_detected_alike(
    torch_engine: WhisperWindows, ct2_engine: WhisperWindows, clips: list[SpokenClip]
) -> None:
    for clip in {clip.lang: clip for clip in clips}.values():
        ours, theirs = (engine.detect(clip.window()).candidates for engine in (torch_engine, ct2_engine))
        assert ours[0][0] == theirs[0][0] == clip.lang
        assert dict(ours) == pytest.approx(dict(theirs), abs=SAME_PROBABILITY)


def test_calls_from_several_threads_share_the_slots_and_do_not_mix(
    torch_engine: WhisperWindows, clips: list[SpokenClip]
) -> None:
    def text(clip: SpokenClip) -> str:
        (outcome,) = torch_engine.run([clip.window(options=DecodeOptions(word_times=False))])
        assert isinstance(outcome, WindowResult)
        return " ".join(part.text for part in outcome.segments)

    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(text, clips[:12])) == [clip.text for clip in clips[:12]]


def test_the_spectrum_is_that_of_the_other_engine(ct2_engine: WhisperWindows, clips: list[SpokenClip]) -> None:
    """Windows of several lengths, one of them shorter than the spectrum needs, one as long as the context."""
    import torch

    from serve.tasks.transcription.whisper.encoding import _features
    from serve.tasks.transcription.whisper_torch.mel import MelSpectrum

    assert isinstance(ct2_engine, WhisperEngine)
    waves = [sound.wave for sound in sounds_of(ct2_engine, [clip.window() for clip in clips[:4]])]
    waves += [np.zeros(10, np.float32), np.resize(waves[0], 10 * SAMPLE_RATE)]
    ours = MelSpectrum(80, torch.device("cpu"))(waves, 10_000).numpy()
    theirs = np.stack([_features(ct2_engine.model, wave, 1000) for wave in waves])
    assert ours.shape == theirs.shape
    assert np.abs(ours - theirs).max() < 1e-4


def test_the_model_leaves_memory_and_comes_back(folder: Path, clips: list[SpokenClip]) -> None:
    from serve.tasks.transcription.whisper_torch.engine import WhisperTorchEngine

    engine = WhisperTorchEngine(
        folder, name="phrasebook", reason="Test.", device="cpu", compute_type="int8", slots=2, parallel=1
    )
    assert engine.size_bytes == (folder / "model.safetensors").stat().st_size
    engine.unload()
    assert not engine.is_loaded
    engine.load()
    with closing(engine):
        (outcome,) = engine.run([clips[0].window()])
        assert isinstance(outcome, WindowResult)
        assert outcome.segments[0].text == clips[0].text
        (refused,) = engine.run([clips[0].window(options=DecodeOptions(beam_size=5))])
        assert isinstance(refused, EngineRefused)
        assert "beam of 1" in refused.sentence


def test_it_says_what_it_is(torch_engine: WhisperWindows, ct2_engine: WhisperWindows) -> None:
    assert (torch_engine.info.engine, torch_engine.info.device) == ("whisper_torch", "cpu")
    assert torch_engine.info.languages == ct2_engine.info.languages
    assert torch_engine.info.is_batched
    assert torch_engine.info.detects_language
