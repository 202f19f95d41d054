"""The encoder's context: shorter for short clips, with the same words, and full where a result is in doubt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from serve.core.models.processor import has_avx512
from serve.tasks.transcription.messages import AudioWindow, DecodeOptions, WindowResult
from serve.tasks.transcription.whisper import engine as engine_module
from serve.tasks.transcription.whisper import windows as windows_module
from serve.tasks.transcription.whisper.context import CONTEXTS_MS, FULL_MS, MARGIN_MS, context_ms
from serve.tasks.transcription.whisper.encoding import Encoded, encode
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.testing.speech import SpokenClip

MS = b"\0\0" * 16


@given(st.integers(0, 30_000))
def test_a_window_fits_into_its_context_with_room_to_spare(duration_ms: int) -> None:
    window = AudioWindow("file", 0, 0, MS * duration_ms)
    context = context_ms(window, adaptive=True)
    assert context in CONTEXTS_MS
    assert context == FULL_MS or duration_ms + MARGIN_MS <= context
    assert not any(duration_ms + MARGIN_MS <= other < context for other in CONTEXTS_MS)


def test_speech_that_was_cut_has_the_full_context() -> None:
    assert context_ms(AudioWindow("file", 0, 0, MS * 3_000, cut_in_speech=True), adaptive=True) == FULL_MS
    assert context_ms(AudioWindow("file", 0, 0, MS * 3_000), adaptive=False) == FULL_MS


def test_windows_share_a_batch_only_with_equal_context_beam_and_word_times(whisper: WhisperEngine) -> None:
    def key(seconds: int, **options: Any) -> Any:
        return whisper.batch_key(AudioWindow("file", 0, 0, MS * seconds * 1000, DecodeOptions(**options)))

    assert key(3, language="is") == key(7, language="en") != key(9)
    assert key(3, beam_size=5) != key(3)
    assert key(3, word_times=False) != key(3)


@pytest.fixture
def contexts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The context of every encoding."""
    noted: list[int] = []

    def noting(model: Any, waves: Any, *, context_ms: int) -> Encoded:
        noted.append(context_ms)
        return encode(model, waves, context_ms=context_ms)

    monkeypatch.setattr(engine_module, "encode", noting)
    return noted


def text_of(engine: WhisperEngine, window: AudioWindow) -> str:
    (outcome,) = engine.run([window])
    assert isinstance(outcome, WindowResult)
    return " ".join(segment.text for segment in outcome.segments)


@pytest.mark.long
def test_the_short_context_gives_the_words_of_the_full_one(
    whisper: WhisperEngine, clips: list[SpokenClip], contexts: list[int]
) -> None:
    some = clips[::4]
    for clip in some:
        options = DecodeOptions(language=clip.lang)
        short = clip.window(options=options)
        full = AudioWindow(clip.id, 0, 0, clip.pcm, options, cut_in_speech=True)
        assert text_of(whisper, short) == text_of(whisper, full) == clip.text
    assert contexts.count(FULL_MS) == len(some)


def test_a_doubtful_result_of_the_short_context_is_decoded_in_full(whisper: WhisperEngine, contexts: list[int]) -> None:
    noise = np.random.default_rng(3).normal(0, 3000, 16_000 * 4).astype("<i2").tobytes()
    assert text_of(whisper, AudioWindow("noise", 0, 0, noise)) == ""
    assert contexts == [CONTEXTS_MS[0], FULL_MS]


def test_an_unclear_language_is_detected_in_full(
    whisper: WhisperEngine, clips: list[SpokenClip], contexts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert whisper.detect(clips[0].window()).candidates[0][0] == clips[0].lang
    assert contexts == [CONTEXTS_MS[0]]
    monkeypatch.setattr(windows_module, "SURE_OF_LANGUAGE", 1.01)
    assert whisper.detect(clips[0].window()).candidates[0][0] == clips[0].lang
    assert contexts[1:] == [CONTEXTS_MS[0], FULL_MS]


def test_avx512_is_used_only_where_all_of_it_is_there(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("model name\t: x\nflags\t\t: avx2 avx512f avx512cd avx512vl avx512bw avx512dq\n")
    assert has_avx512(cpuinfo)
    cpuinfo.write_text("flags\t\t: avx2 avx512f avx512cd\n")
    assert not has_avx512(cpuinfo)
    assert not has_avx512(tmp_path / "missing")
