"""Ingest keeps the levels of channels where each speaker has one, and the mix of both is what it was."""

from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from cluster.storage.folder import LocalStorage
from pipelines.media.sound.channel_levels import FRAME_MS, dominant, read_levels
from pipelines.testing.media.attempts import Attempted, result_of, samples
from pipelines.testing.media.samples import ffmpeg
from serve.testing.tiny_speakers.dialogue import Dialogue, talk


@pytest.fixture(scope="module")
def call() -> Dialogue:
    return talk(("rms", "slt"), 6, seed=5)


def recording(folder: Path, *tracks: np.ndarray) -> Path:
    """A video with these channels, as AAC at 44.1 kHz."""
    path = folder / "channels.wav"
    with wave.open(str(path), "wb") as out:
        out.setparams((len(tracks), 2, 16_000, 0, "NONE", ""))
        out.writeframes(np.stack(tracks, axis=1).astype("<i2").tobytes())
    ffmpeg("-i", "channels.wav", "-ar", "44100", "-c:a", "aac", "-b:a", "192k", "call.m4a", cwd=folder)
    return folder / "call.m4a"


def test_a_call_keeps_the_levels_of_its_channels(
    attempt: Attempted, installation: LocalStorage, call: Dialogue, tmp_path: Path
) -> None:
    result = result_of(attempt("upload", recording(tmp_path, call.tracks["rms"], call.tracks["slt"])))
    levels = read_levels(installation.open_path(result["channels_key"]))
    assert abs(len(levels) * FRAME_MS - call.duration_ms) < 200
    owners = dominant(levels)
    for said in call.utterances:
        spoken = owners[said.start_ms // FRAME_MS : said.end_ms // FRAME_MS]
        assert np.bincount(spoken[spoken >= 0]).argmax() == ["rms", "slt"].index(said.speaker)
    mixed = samples(installation, result["audio_key"]).astype(np.float64)
    whole = np.sum([track.astype(np.float64) for track in call.tracks.values()], axis=0)
    both = min(len(mixed), len(whole))
    assert np.corrcoef(mixed[:both], whole[:both])[0, 1] > 0.98


@pytest.mark.long
def test_other_sound_keeps_none(attempt: Attempted, call: Dialogue, tmp_path: Path) -> None:
    mixed = np.sum([track.astype(np.int32)[:64_000] for track in call.tracks.values()], axis=0)
    for fence, tracks in enumerate([(mixed,), (mixed, mixed), (mixed, 0 * mixed)], 1):
        result = result_of(attempt("upload", recording(tmp_path, *tracks), fence=fence))
        assert result["channels_key"] is None


@pytest.mark.long
def test_a_recorder_with_four_microphones(
    attempt: Attempted, installation: LocalStorage, call: Dialogue, tmp_path: Path
) -> None:
    silence = np.zeros_like(call.samples)
    path = recording(tmp_path, silence, call.tracks["rms"], silence, call.tracks["slt"])
    levels = read_levels(installation.open_path(result_of(attempt("upload", path))["channels_key"]))
    assert levels.shape[1] == 4
