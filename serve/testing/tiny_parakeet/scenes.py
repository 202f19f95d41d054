"""Windows of spoken clips with pauses and noise, and the piece spoken in each frame of 80 ms."""

from __future__ import annotations

import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serve.testing.tiny_models.clips import SAMPLE_RATE, synthesise_all
from serve.testing.tiny_models.training.speech_timing import voiced_times
from serve.testing.tiny_parakeet.script import SPACE, Script

Floats = NDArray[np.float32]

FRAME_MS = 80
FRAME = SAMPLE_RATE * FRAME_MS // 1000
BARE = 0.3
"""Share of scenes that are a clip without anything around it, as a window cut at pauses may be."""
_FEWEST = 2
"""Commas and full stops last as long as this many letters, so that they have a frame of their own."""
LONGEST_STEP = 4
"""The longest duration the model gives, in frames."""


@dataclass(frozen=True, slots=True)
class SpokenPieces:
    """A clip's samples, and the time at which each of its pieces begins; one more time is the end of the last."""

    samples: Floats
    pieces: list[int]
    times: list[float]


@dataclass(frozen=True, slots=True)
class Scene:
    """For each frame, `pieces` holds the piece spoken, or blank, and `steps` how many frames to go on from it, 1 to 4.

    A step ends one frame before the next piece, which may last only one frame itself and must not be passed over.
    """

    samples: Floats
    pieces: NDArray[np.int64]
    steps: NDArray[np.int64]


def load_clips_in_pieces(script: Script, folder: Path) -> list[SpokenPieces]:
    paths = synthesise_all(folder, script.clips)
    spoken = []
    for clip in script.clips:
        samples = _read(paths[clip.id])
        pieces = script.sentences[clip.text]
        letters = [max(_FEWEST, len(script.vocabulary[piece].lstrip(SPACE))) for piece in pieces]
        voiced = voiced_times(samples)
        edges = np.concatenate([[0], np.cumsum(letters)]) / sum(letters) * (len(voiced) - 1)
        spoken.append(SpokenPieces(samples, pieces, [float(voiced[int(edge)]) for edge in edges]))
    return spoken


def make_scene(spoken: Sequence[SpokenPieces], dice: np.random.Generator, blank: int) -> Scene:
    """Up to six clips, one after another, with the noise and the loudness of recordings; or a bare clip."""
    if dice.random() < BARE:
        clip = spoken[int(dice.integers(len(spoken)))]
        return _scene([(0, clip)], clip.samples * np.float32(dice.uniform(0.4, 1.0)), blank)
    count = int(dice.choice([0, 1, 1, 1, 2, 2, 3, 4, 6]))
    placed: list[tuple[int, SpokenPieces]] = []
    at = int(dice.uniform(0.0, 0.9) * SAMPLE_RATE)
    for index in dice.integers(0, len(spoken), count):
        placed.append((at, spoken[index]))
        at += len(spoken[index].samples) + int(dice.choice([0.05, 0.3, 1.0, 2.5]) * dice.uniform(0.5, 1) * SAMPLE_RATE)
    length = at + int(dice.uniform(0.0, 0.9) * SAMPLE_RATE) + (3 * SAMPLE_RATE if not placed else 0)
    samples = np.zeros(length, np.float32)
    for start, clip in placed:
        samples[start : start + len(clip.samples)] += clip.samples * np.float32(10 ** dice.uniform(-0.4, 0.1))
    if dice.random() < 0.7:
        loudness = 10 ** dice.uniform(-4.5, -2.3 if placed else -1.5)
        samples += dice.standard_normal(length, dtype=np.float32) * np.float32(loudness)
    return _scene(placed, samples * np.float32(dice.uniform(0.4, 1.0)), blank)


def _scene(placed: Sequence[tuple[int, SpokenPieces]], samples: Floats, blank: int) -> Scene:
    frames = -(-len(samples) // FRAME)
    pieces, steps = np.full(frames, blank), np.ones(frames, np.int64)
    for start, clip in placed:
        edges = [round((start / SAMPLE_RATE + time) * 1000 / FRAME_MS) for time in clip.times]
        for index in range(1, len(edges)):
            edges[index] = max(edges[index], edges[index - 1] + 1)
        for piece, first, after in zip(clip.pieces, edges, edges[1:], strict=False):
            for frame in range(first, min(after, frames)):
                pieces[frame], steps[frame] = piece, max(1, min(LONGEST_STEP, after - frame - 1))
    return Scene(samples, pieces, steps)


def _read(path: Path) -> Floats:
    with wave.open(str(path)) as reader:
        return np.frombuffer(reader.readframes(reader.getnframes()), "<i2").astype(np.float32) / 32_768.0
