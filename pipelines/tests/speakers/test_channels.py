"""Recordings with one speaker on each channel, and those that only look like it."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from pipelines.captions.timestamps import clock
from pipelines.flows.speakers.flow import BY_CHANNEL
from pipelines.media.sound.channel_levels import LevelCollector, channels_differ
from pipelines.testing.diarizer import InProcessDiarizer, SpeakerRuns
from serve.testing.speaker_errors import diarization_errors
from serve.testing.tiny_speakers.dialogue import Dialogue, talk

Sound = NDArray[np.float64]


@pytest.fixture(scope="module")
def call() -> Dialogue:
    return talk(("rms", "slt"), 10, pause_ms=(400, -700, 300), seed=9)


def recorded(call: Dialogue, first: float = 1.0, second: float = 1.0, leak: float = 0.0) -> NDArray[np.int16]:
    """A recording of a call with noise of its own on each channel. `leak` of each voice reaches the other channel."""
    one, other = (call.tracks[voice].astype(np.float64) for voice in ("rms", "slt"))
    return stereo(first * one + leak * later(other, 40), second * other + leak * later(one, 40))


def stereo(left: Sound, right: Sound) -> NDArray[np.int16]:
    noise = np.random.default_rng(1).normal(0, 5, (len(left), 2))
    return np.asarray(np.clip(np.stack([left, right], axis=1) + noise, -32_768, 32_767), np.int16)


def later(sound: Sound, samples: int) -> Sound:
    return np.concatenate([np.zeros(samples), sound[:-samples]])


def differ(channels: NDArray[np.int16]) -> bool:
    levels = LevelCollector(channels.shape[1])
    raw = channels.tobytes()
    for start in range(0, len(raw), 65_532):
        levels.add(raw[start : start + 65_532])
    return channels_differ(levels.finish())


def mix(channels: NDArray[np.int16]) -> NDArray[np.int16]:
    return np.asarray(channels.mean(axis=1), np.int16)


@pytest.mark.parametrize(
    "how", [{}, {"leak": 0.25}, {"second": 0.1}], ids=["two lines", "two microphones in a room", "one far too quiet"]
)
def test_two_channels_are_two_speakers(runs: SpeakerRuns, call: Dialogue, how: dict[str, float]) -> None:
    channels = recorded(call, **how)
    assert differ(channels)
    result = runs.result(runs.request(mix(channels), channels=channels), "No model is needed.")
    assert {turn.speaker for turn in result.turns} == {"S1", "S2"}
    assert diarization_errors(call.utterances, result.turns, collar_ms=250).rate < 0.02
    assert (result.engine.engine, result.notes) == ("channels", (BY_CHANNEL,))
    assert {sample.speaker for sample in result.samples} == {"S1", "S2"}


def notes(runs: SpeakerRuns, call: Dialogue) -> tuple[str, ...]:
    channels = recorded(call)
    return tuple(map(str, runs.result(runs.request(mix(channels), channels=channels), "No model is needed.").notes))


def test_the_person_reads_where_several_speak_at_once(runs: SpeakerRuns) -> None:
    twice = talk(("rms", "slt"), 6, pause_ms=(400, -1_600, 250), seed=5)
    neighbours = pairwise(twice.utterances)
    starts = [clock(other.start_ms) for one, other in neighbours if one.end_ms - other.start_ms > 1_200]
    assert len(starts) == 2
    assert notes(runs, twice)[1:] == (f"People speak at once at {', '.join(starts)}. Check who says what there.",)
    (_, many) = notes(runs, talk(("rms", "slt"), 16, pause_ms=(-1_600,), seed=6))
    assert re.fullmatch(
        r"People speak at once in \d+ places, longest at (\d:\d\d, ){4}\d:\d\d\. Check who says .*", many
    )


def test_other_stereo_is_not_taken_for_two_speakers(call: Dialogue) -> None:
    voices = sum(track.astype(np.float64) for track in call.tracks.values())
    assert not isinstance(voices, int)
    quiet = np.zeros_like(voices)
    echoes = (voices + 0.5 * later(voices, 331), voices + 0.5 * later(voices, 499))
    one, other = (track.astype(np.float64) for track in call.tracks.values())
    assert not differ(stereo(voices, voices)), "mono in stereo form"
    assert not differ(stereo(voices, -voices)), "one channel upside down"
    assert not differ(stereo(voices, quiet)), "a microphone on the left input"
    assert not differ(stereo(*echoes)), "a room"
    assert not differ(stereo(0.9 * one + 0.5 * other, 0.5 * one + 0.9 * other)), "voices placed in a picture"
    assert not differ(stereo(quiet, quiet)), "silence"


def test_four_microphones(call: Dialogue) -> None:
    tracks = [track.astype(np.float64) for track in call.tracks.values()]
    four = np.concatenate([stereo(tracks[0], tracks[1]), stereo(0 * tracks[0], 0 * tracks[1])], axis=1)
    assert differ(four)


@pytest.mark.long
def test_another_number_of_speakers_asks_the_model(
    runs: SpeakerRuns, client: InProcessDiarizer, call: Dialogue
) -> None:
    channels = recorded(call)
    request = runs.request(mix(channels), channels=channels, speakers=1)
    assert runs.result(request, client).engine.engine == "sherpa"
    without = runs.result(request, "There is no model.")
    assert without.engine.engine == "channels"
    assert "1 speakers were expected" in without.notes[0] or "1 speaker" in without.notes[0]
