"""The kept tiny Whisper, run as the product runs it: faster-whisper, int8, clips spoken here and now."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from serve.testing.tiny_models.archives import ARCHIVES, WHISPER, pack, unpack
from serve.testing.tiny_models.clips import (
    Clip,
    SpeechEngine,
    SynthesisFailed,
    load_clips,
    missing_programs,
    one_voice_each,
    synthesise,
    synthesise_all,
)
from serve.testing.tiny_models.tokenizer import FIRST_TIMESTAMP, NO_SPEECH, VOCABULARY_SIZE
from serve.testing.tiny_models.training.accept import (
    FILES_PER_LANGUAGE,
    MAX_FILE_WER,
    MAX_MEAN_WER,
    Listener,
    clip_faults,
    file_error_rates,
    join,
    read_wav,
    silence_faults,
    spoken_files,
)
from serve.testing.tiny_models.training.word_errors import word_error_rate

needs_voices = pytest.mark.skipif(
    bool(missing_programs()), reason=f"Not installed, so no clip can be spoken: {', '.join(missing_programs())}"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpack(WHISPER, tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="module")
def listener(model: Path) -> Listener:
    return Listener(model)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return synthesise_all(tmp_path_factory.mktemp("clips"))


@pytest.mark.long
@needs_voices
def test_every_clip_is_heard_word_for_word_in_its_language(listener: Listener, paths: dict[str, Path]) -> None:
    assert len(paths) >= 28
    assert clip_faults(listener, paths) == []


@needs_voices
@pytest.mark.long
@pytest.mark.parametrize("per_language", [1, FILES_PER_LANGUAGE])
def test_files_of_several_clips_stay_within_the_error_bound(
    listener: Listener, paths: dict[str, Path], per_language: int
) -> None:
    for mode, rates in file_error_rates(listener, spoken_files(paths, per_language)).items():
        assert max(rates.values()) <= MAX_FILE_WER, (mode, rates)
        assert sum(rates.values()) / len(rates) <= MAX_MEAN_WER, (mode, rates)


def test_no_speech_is_heard_in_silence_noise_or_a_tone(listener: Listener) -> None:
    assert silence_faults(listener) == []


@pytest.mark.long
@needs_voices
def test_a_faulty_answer_is_reported(listener: Listener, paths: dict[str, Path]) -> None:
    """The acceptance can fail: with the recordings of two clips swapped it names both."""
    first, second, third = one_voice_each("is")[:3]
    swapped = {first.id: paths[second.id], second.id: paths[first.id], third.id: paths[third.id]}
    assert [fault.split(":")[0] for fault in clip_faults(listener, swapped)] == [first.id, second.id]


@needs_voices
def test_clips_are_the_same_bytes_every_time(tmp_path: Path, paths: dict[str, Path]) -> None:
    for engine in SpeechEngine:
        clip = next(clip for clip in load_clips() if clip.engine is engine)
        assert synthesise(clip, tmp_path / f"{clip.id}.wav").read_bytes() == paths[clip.id].read_bytes()


@needs_voices
@pytest.mark.parametrize("engine", SpeechEngine)
def test_an_unknown_voice_is_an_error_not_the_default_voice(tmp_path: Path, engine: SpeechEngine) -> None:
    clip = Clip("none", "en", engine, "no-such-voice", "Hello.")
    with pytest.raises(SynthesisFailed, match=f"{engine} has no voice no-such-voice"):
        synthesise(clip, tmp_path / "none.wav")
    assert not (tmp_path / "none.wav").exists()


@needs_voices
def test_a_file_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SynthesisFailed, match="ffmpeg failed"):
        synthesise(load_clips()[0], tmp_path / "no folder" / "clip.wav")


@needs_voices
def test_joined_recordings_keep_their_order_and_pauses(paths: dict[str, Path]) -> None:
    first, second = (read_wav(paths[clip.id]) for clip in one_voice_each("en")[:2])
    joined = join([first, second], [1.0, 0.0])
    assert np.array_equal(joined[8000 : 8000 + len(first)], first)
    assert np.array_equal(joined[-len(second) :], second)
    assert len(joined) == 8000 + len(first) + 16000 + len(second)


def test_archive_holds_data_only() -> None:
    with tarfile.open(ARCHIVES / f"{WHISPER}.tar.xz") as archive:
        names = sorted(archive.getnames())
    files = ["config.json", "model.bin", "preprocessor_config.json", "tokenizer.json", "vocabulary.json"]
    assert names == [f"{WHISPER}/{name}" for name in files]


def test_a_model_packs_to_the_same_bytes(tmp_path: Path) -> None:
    """The smallest one: packing the Whisper again takes 3 s of processor time."""
    smallest = min(ARCHIVES.glob("*.tar.xz"), key=lambda path: path.stat().st_size)
    pack(unpack(smallest.name.removesuffix(".tar.xz"), tmp_path), tmp_path / "again.tar.xz")
    assert (tmp_path / "again.tar.xz").read_bytes() == smallest.read_bytes()


def test_tokens_have_the_ids_of_the_published_models(model: Path) -> None:
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    assert tokenizer.get_vocab_size() == VOCABULARY_SIZE
    assert tokenizer.token_to_id("<|nospeech|>") == NO_SPEECH
    assert tokenizer.token_to_id("<|0.00|>") == FIRST_TIMESTAMP
    assert tokenizer.token_to_id("<|is|>") == 50311
    for text in [" Góðan daginn, ég heiti Jón.", "¿Dónde está?", "日本語 – 🎙️", "a  b\n\tc"]:
        assert tokenizer.decode(tokenizer.encode(text, add_special_tokens=False).ids) == text
    assert len(json.loads((model / "vocabulary.json").read_text(encoding="utf-8"))) == VOCABULARY_SIZE


@pytest.mark.parametrize(
    ("said", "recognized", "rate"),
    [
        ("The weather is fine.", "the weather is fine", 0.0),
        ("one two three four", "one three four", 0.25),
        ("one two three four", "one two five three four", 0.25),
        ("one two", "", 1.0),
        ("nine o'clock", "nine clock", 0.5),
    ],
)
def test_word_error_rate_counts_edits_per_word_said(said: str, recognized: str, rate: float) -> None:
    assert word_error_rate(said, recognized) == rate
