"""Windows of speech: on synthetic voices, at silences, and with memory that does not grow with the file."""

from __future__ import annotations

import subprocess
import sys
import wave
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from pipelines.media.sound.pcm import NotTranscribable, PcmFile, append_voice
from pipelines.media.sound.speech import DEFAULT_CUT, CutRules, SpeechWindow, cut_by, speech_windows
from pipelines.media.sound.voice import FRAME, VoiceFinder
from pipelines.testing.voices import FOX, SUIT, noise, silence, spoken, write_wav


@pytest.fixture(scope="module")
def fox(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return spoken(FOX, "slt", tmp_path_factory.mktemp("fox"))


@pytest.fixture(scope="module")
def suit(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return spoken(SUIT, "rms", tmp_path_factory.mktemp("suit"))


def cut(path: Path, rules: CutRules = DEFAULT_CUT) -> list[SpeechWindow]:
    with PcmFile(path) as audio:
        return list(speech_windows(audio, rules))


def test_silence_and_noise_have_no_windows(tmp_path: Path) -> None:
    assert cut(write_wav(tmp_path / "silence.wav", silence(7))) == []
    assert cut(write_wav(tmp_path / "noise.wav", noise(7))) == []
    assert cut(write_wav(tmp_path / "empty.wav")) == []


def test_speech_between_silences_is_located(tmp_path: Path, fox: bytes, suit: bytes) -> None:
    path = write_wav(tmp_path / "two.wav", silence(4), fox, silence(6), suit, silence(2))
    first, second = cut(path)
    fox_end = 4_000 + len(fox) // 32
    suit_start = fox_end + 6_000
    assert 3_600 <= first.start_ms <= 4_300
    assert fox_end - 500 <= first.end_ms <= fox_end + 300
    assert suit_start - 400 <= second.start_ms <= suit_start + 300
    assert suit_start + len(suit) // 32 - 500 <= second.end_ms <= suit_start + len(suit) // 32 + 300
    assert (first.index, second.index) == (0, 1)
    assert not first.cut_in_speech
    assert not second.cut_in_speech


def test_long_speech_is_cut_at_its_silences_into_windows_a_model_can_take(
    tmp_path: Path, fox: bytes, suit: bytes
) -> None:
    parts, spans, clock = [], [], 0
    for part in [fox, suit] * 12:
        spans.append((clock, clock + len(part) // 32))
        parts += [part, silence(0.5)]
        clock = spans[-1][1] + 500
    windows = cut(write_wav(tmp_path / "long.wav", *parts))
    assert all(window.end_ms - window.start_ms <= 30_000 for window in windows)
    assert windows[0].end_ms - windows[0].start_ms <= 15_000
    assert all(left.end_ms <= right.start_ms for left, right in pairwise(windows))
    # No cut goes through a sentence, and every sentence is in a window.
    for start, end in spans:
        middle = (start + end) // 2
        holding = [window for window in windows if window.start_ms <= middle < window.end_ms]
        assert len(holding) == 1
        assert holding[0].start_ms <= start + 200
        assert holding[0].end_ms >= end - 300


def test_a_program_may_have_each_stretch_of_speech_by_itself(tmp_path: Path, fox: bytes, suit: bytes) -> None:
    path = write_wav(tmp_path / "close.wav", silence(1), fox, silence(1), suit, silence(1))
    assert len(cut(path)) == 1
    first, second = cut(path, cut_by(0.5, 700, 0))
    fox_end = 1_000 + len(fox) // 32
    assert (first.end_ms - fox_end, fox_end + 1_000 - second.start_ms) == pytest.approx((0, 0), abs=400)
    padded = cut(path, cut_by(0.5, 700, 150))
    assert [window.start_ms for window in padded] == [first.start_ms - 150, second.start_ms - 150]
    assert len(cut(path, cut_by(0.5, 2_000, 0))) == 1, "a shorter pause than that ends nothing"


def test_speech_without_a_pause_is_still_cut(tmp_path: Path, fox: bytes) -> None:
    samples = np.frombuffer(fox, "<i2")
    loud = np.flatnonzero(np.abs(samples) > 500)
    tight = samples[loud[0] : loud[-1]].tobytes()
    path = write_wav(tmp_path / "tight.wav", *[tight] * 20)
    rules = CutRules(silence_ms=2_000)
    windows = cut(path, rules)
    assert len(windows) >= 2
    assert all(window.end_ms - window.start_ms <= 30_000 for window in windows)
    # Nothing between the first and the last sound is left out.
    assert all(right.start_ms == left.end_ms for left, right in pairwise(windows))
    assert all(window.cut_in_speech for window in windows)
    assert cut(path, rules) == windows


def test_voices_stored_in_the_file_give_the_same_windows_without_the_model(
    tmp_path: Path, fox: bytes, suit: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_wav(tmp_path / "kept.wav", silence(2), fox, silence(6), suit, silence(0.7))
    windows = cut(path)
    pcm = path.read_bytes()[44:]
    finder = VoiceFinder()
    for start in range(0, len(pcm), 50_000):  # as they come out of a pipe
        finder.add(pcm[start : start + 50_000])
    voice = finder.finish()
    assert len(voice) == -(-len(pcm) // 2 // FRAME)
    append_voice(path, voice)
    monkeypatch.setattr("pipelines.media.sound.voice._model", lambda: pytest.fail("ran the model again"))
    assert cut(path) == windows
    with PcmFile(path) as audio:
        assert audio.voice() == voice
        assert audio.read(0, audio.duration_ms + 10) == pcm
    # Stored voices of another length are not of this sound.
    append_voice(other := write_wav(tmp_path / "other.wav", silence(9)), voice)
    with pytest.raises(pytest.fail.Exception):
        cut(other)


def test_a_window_has_the_samples_of_its_time(tmp_path: Path, fox: bytes) -> None:
    path = write_wav(tmp_path / "one.wav", fox)
    with PcmFile(path) as audio:
        assert audio.read(100, 250) == fox[3_200:8_000]
        assert audio.read(audio.duration_ms - 1, audio.duration_ms + 50) == fox[(audio.duration_ms - 1) * 32 :]
        assert audio.duration_ms == len(fox) // 32


def test_other_audio_is_refused(tmp_path: Path) -> None:
    stereo = tmp_path / "stereo.wav"
    with wave.open(str(stereo), "wb") as made:
        made.setparams((2, 2, 44_100, 0, "NONE", ""))
    with pytest.raises(NotTranscribable):
        PcmFile(stereo)
    text = tmp_path / "text.wav"
    text.write_text("no audio at all")
    with pytest.raises(NotTranscribable):
        PcmFile(text)


_MEASURE = """
import resource, sys
from pathlib import Path
from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.speech import speech_windows
with PcmFile(Path(sys.argv[1])) as audio:
    count = sum(1 for _ in speech_windows(audio))
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.long
def test_memory_does_not_grow_with_the_file(tmp_path: Path, fox: bytes) -> None:
    """40 minutes would be 154 MB as one float32 array. Measured in another process, without the memory of this one."""
    short = write_wav(tmp_path / "short.wav", *[fox, silence(30)])
    long = write_wav(tmp_path / "long.wav", *[fox, silence(57)] * 40)
    peaks = {}
    for path in (short, long):
        made = subprocess.run([sys.executable, "-c", _MEASURE, str(path)], check=True, capture_output=True, text=True)
        count, peaks[path] = (int(number) for number in made.stdout.split())
        assert count == (1 if path == short else 40)
    assert peaks[long] - peaks[short] < 20_000, f"kilobytes: {peaks}"
