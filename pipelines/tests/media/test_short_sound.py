"""Short sounds are decoded like any other, in a process that survives what a file does to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from cluster.limited_process.limits import ProcessLimits
from cluster.storage.folder import LocalStorage
from cluster.testing.processes import ends_within
from pipelines.flows.tasks import attempt_stream
from pipelines.media.probe import probe
from pipelines.media.sound import short_sound
from pipelines.media.sound.audio import DecodedAudio, decode
from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.short_sound import ShortSounds
from pipelines.messages.attempt import Result
from pipelines.messages.requests import SPEECH_SOUND, SpeechSoundRequest
from pipelines.messages.results import SpeechSoundResult

ALIKE = ["speech.wav", "speech.mp4", "old.avi", "screen.mkv", "stream.ts", "tone.mp3", "tone.m4a", "tone.flac",
         "tone.wma", "silent.mp4", "odd.mkv", "late.mp4", "late_sound.mp4"]  # fmt: skip
PRE_SKIP_MS = 10
"""Opus in WebM begins 7 ms earlier in newer versions of libav than in ffmpeg 5."""


@pytest.fixture
def sounds() -> Iterator[ShortSounds]:
    opened = ShortSounds()
    yield opened
    opened.close()


def samples(wav: Path) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    with wave.open(str(wav)) as opened:
        assert (opened.getnchannels(), opened.getsampwidth(), opened.getframerate()) == (1, 2, 16_000)
        return np.frombuffer(opened.readframes(opened.getnframes()), "<i2").astype(np.int64)


@pytest.mark.long
def test_every_form_is_decoded_as_ffmpeg_does(sounds: ShortSounds, media: Path, tmp_path: Path) -> None:
    stereo = tmp_path / "stereo.mp3"
    mix = "pan=stereo|c0=c0|c1=0.3*c0"
    subprocess.run(["ffmpeg", "-v", "error", "-i", media / "speech.wav", "-af", mix, stereo], check=True)
    for path in (*(media / name for name in ALIKE), stereo):
        into, usual, short = DecodedAudio(), tmp_path / "usual.wav", tmp_path / "short.wav"
        list(decode(path, probe(path), wav=usual, into=into))
        assert sounds.decode(path, short) == into.duration_ms, path.name
        assert np.abs(samples(usual) - samples(short)).max() <= 2, path.name
    for name in ("web.webm", "tone.ogg"):
        into = DecodedAudio()
        list(decode(media / name, probe(media / name), wav=usual, into=into))
        decoded_ms = sounds.decode(media / name, short)
        assert decoded_ms is not None
        assert abs(decoded_ms - into.duration_ms) <= PRE_SKIP_MS


@pytest.mark.parametrize("name", ["letter.mp4", "empty.mp4", "no_audio.mp4", "plain_cut.mp4"])
def test_what_cannot_be_decoded_is_left(sounds: ShortSounds, media: Path, tmp_path: Path, name: str) -> None:
    wav = tmp_path / "a.wav"
    assert sounds.decode(media / name, wav) is None
    assert not wav.exists()
    assert sounds.decode(media / "speech.wav", wav)


@pytest.mark.long
def test_what_is_not_short_is_left(
    sounds: ShortSounds, media: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(short_sound, "SHORT_SOUND_MS", 1_000)
    assert sounds.decode(media / "speech.wav", tmp_path / "a.wav") is None
    monkeypatch.setattr(short_sound, "SHORT_SOUND_MS", 10_000)
    monkeypatch.setattr(short_sound, "SHORT_SOUND_BYTES", 100)
    assert sounds.decode(media / "speech.wav", tmp_path / "a.wav") is None


@pytest.mark.long
def test_a_lost_process_is_started_again(sounds: ShortSounds, media: Path, tmp_path: Path) -> None:
    assert sounds.decode(media / "speech.wav", tmp_path / "a.wav")
    first = sounds.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert sounds.decode(media / "speech.wav", tmp_path / "a.wav")
    assert sounds.pid not in (None, first)


@pytest.mark.long
def test_a_file_that_takes_too_long_is_left_and_its_process_ends(
    sounds: ShortSounds, media: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "never.wav"
    os.mkfifo(pipe)
    monkeypatch.setattr(short_sound, "short_sound_limits", lambda: ProcessLimits(cpu_s=3, wall_s=1))
    assert sounds.decode(pipe, tmp_path / "a.wav") is None
    assert sounds.pid is None
    monkeypatch.undo()
    assert sounds.decode(media / "speech.wav", tmp_path / "a.wav")


@pytest.mark.long
def test_the_process_ends_with_the_one_that_started_it(media: Path, tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from pipelines.media.sound.short_sound import ShortSounds\n"
        "sounds = ShortSounds(); sounds.decode(Path(sys.argv[1]), Path(sys.argv[2])); print(sounds.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    command = [sys.executable, "-c", code, str(media / "speech.wav"), str(tmp_path / "a.wav")]
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ends_within(int(answer.stdout), 30)


@pytest.mark.long
@pytest.mark.parametrize("longest_ms", [60_000, 1_000])
def test_a_worker_decodes_short_and_long_sound_alike(
    installation: LocalStorage, media: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, longest_ms: int
) -> None:
    monkeypatch.setattr(short_sound, "SHORT_SOUND_MS", longest_ms)
    copy = tmp_path / "copy.wav"
    copy.write_bytes((media / "speech.wav").read_bytes())
    installation.put(copy, "speech/1/source")
    *progress, last = attempt_stream(SPEECH_SOUND, SpeechSoundRequest(source_key="speech/1/source"), "job", 1)
    assert isinstance(last, Result), last
    assert isinstance(last.payload, SpeechSoundResult)
    assert progress
    with PcmFile(installation.open_path(last.payload.audio_key)) as pcm:
        assert pcm.duration_ms == last.payload.duration_ms == 3_260
