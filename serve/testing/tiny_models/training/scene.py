"""Random windows of sound: clips one after another with pauses, loudness, noise and hum, as real files have them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from serve.testing.tiny_models.clips import SAMPLE_RATE
from serve.testing.tiny_models.training.voices import Samples, Voice

FRAMES_PER_SECOND = 50
"""Encoder positions a second."""

SHARE_SILENT = 0.07
SHARE_ONE_LANGUAGE = 0.75
SHARE_REPEATED_CLIP = 0.08
SHARE_NOISY = 0.6
SHARE_HUMMING = 0.08
CLIP_COUNTS = (1, 1, 2, 3, 4, 5, 6, 9)
LANGUAGE_WEIGHTS = {"en": 3, "is": 2, "es": 1, "de": 1}


@dataclass(frozen=True, slots=True)
class Placed:
    """A clip in a window; `start` is where the clip's first sample lies, in seconds."""

    voice: Voice
    start: float

    @property
    def speech_start(self) -> float:
        return self.start + self.voice.start

    @property
    def speech_end(self) -> float:
        return self.start + self.voice.end


@dataclass(slots=True)
class Scene:
    """A window of sound. `cut` is a last clip that the window's end cuts off, if there is one.

    `frame_classes` holds the token spoken in each 20 ms frame (0 is silence).
    """

    samples: Samples
    frame_classes: npt.NDArray[np.int64]
    placed: list[Placed] = field(default_factory=list)
    cut: Placed | None = None

    @property
    def is_silent(self) -> bool:
        return not self.placed and self.cut is None

    @property
    def languages(self) -> list[str]:
        """Language of each clip, in order."""
        spoken = [*self.placed, *([self.cut] if self.cut else [])]
        return [placed.voice.clip.lang for placed in spoken]

    @property
    def speech_end(self) -> float:
        return max((placed.speech_end for placed in self.placed), default=0.0)


def make_scene(rng: random.Random, voices: Sequence[Voice], seconds: float) -> Scene:
    """Place random clips in a window of `seconds`, then add loudness, noise and hum."""
    scene = Scene(
        np.zeros(int(seconds * SAMPLE_RATE), np.float32), np.zeros(round(seconds * FRAMES_PER_SECOND), np.int64)
    )
    if rng.random() >= SHARE_SILENT:
        _place_clips(rng, scene, _choose(rng, voices), seconds)
    scene.samples *= np.float32(10 ** rng.uniform(-0.5, 0.0))
    _add_background(rng, scene)
    return scene


def _choose(rng: random.Random, voices: Sequence[Voice]) -> list[Voice]:
    pool = list(voices)
    if rng.random() < SHARE_ONE_LANGUAGE:
        lang = rng.choices(list(LANGUAGE_WEIGHTS), weights=list(LANGUAGE_WEIGHTS.values()))[0]
        pool = [voice for voice in voices if voice.clip.lang == lang]
    order = rng.sample(pool, len(pool))
    if rng.random() < SHARE_REPEATED_CLIP:
        order = [order[0], order[0], *order]
    return order[: rng.choice(CLIP_COUNTS)]


def _place_clips(rng: random.Random, scene: Scene, chosen: Sequence[Voice], seconds: float) -> None:
    late = rng.uniform(0, max(0.1, seconds - 3))
    time = rng.choice([0.0, rng.uniform(0, 0.5), rng.uniform(0, 0.5), rng.uniform(0, 3), late])
    for voice in chosen:
        placed = Placed(voice, time)
        left = seconds - time
        if left < voice.duration:
            speech_is_cut = voice.start + 0.6 < left < voice.end - 0.25 and left > 1.0
            if speech_is_cut and rng.random() < 0.7:
                _mix_in(rng, scene, placed)
                scene.cut = placed
                return
            if left < voice.end + 0.02:
                return
        _mix_in(rng, scene, placed)
        scene.placed.append(placed)
        pause = rng.choice([0.0, rng.uniform(0, 0.5), rng.uniform(0.2, 1.5), rng.uniform(1, 3)])
        time += voice.duration + pause
        if time > seconds - 1:
            return


def _mix_in(rng: random.Random, scene: Scene, placed: Placed) -> None:
    take = placed.voice.takes[0] if rng.random() < 0.6 else rng.choice(placed.voice.takes)
    first = int(placed.start * SAMPLE_RATE)
    room = len(scene.samples) - first
    scene.samples[first : first + len(take)] += take[:room] * np.float32(10 ** rng.uniform(-0.45, 0.15))
    for start, end, frame_class in placed.voice.token_spans:
        frame = int((placed.start + start) * FRAMES_PER_SECOND)
        last = max(frame + 1, int((placed.start + end) * FRAMES_PER_SECOND))
        scene.frame_classes[frame:last] = frame_class


def _add_background(rng: random.Random, scene: Scene) -> None:
    sound = np.random.default_rng(rng.getrandbits(32))
    length = len(scene.samples)
    if rng.random() < SHARE_NOISY:
        loudness = 10 ** rng.uniform(-4.5, -2.3 if scene.placed else -1.3)
        scene.samples += sound.standard_normal(length, dtype=np.float32) * np.float32(loudness)
    if rng.random() < (0.4 if scene.is_silent else SHARE_HUMMING):
        pitch = 10 ** rng.uniform(1.7, 3.3)
        loudness = 10 ** rng.uniform(-4, -0.5 if scene.is_silent else -2)
        turns = np.arange(length, dtype=np.float32) * np.float32(2 * np.pi * pitch / SAMPLE_RATE)
        scene.samples += np.sin(turns) * np.float32(loudness)
