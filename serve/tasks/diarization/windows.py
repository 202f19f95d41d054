"""Windows of a piece, and the voices in what a segmentation model says about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cluster.wording.message import Message
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.diarization.messages import (
    MAX_PIECE_MS,
    WINDOW_MS,
    LocalVoice,
    PieceVoices,
    SoundPiece,
    VoiceWindow,
    window_starts,
)
from serve.tasks.transcription.messages import SAMPLE_RATE

Wave = NDArray[np.float32]
Activity = NDArray[np.bool_]
"""Who speaks when in a window: frames by speakers."""

WINDOW_SAMPLES = WINDOW_MS * SAMPLE_RATE // 1000
LEAST_MS = 400
"""A voice with less speech in a window gets no embedding: it would describe the words and not the voice."""


@dataclass(frozen=True, slots=True)
class PieceWindow:
    """One window of a piece. `wave` has `WINDOW_SAMPLES` samples from -1 to 1, silence after the end of the file."""

    piece: int
    start_ms: int
    end_ms: int
    wave: Wave


def check(piece: SoundPiece) -> EngineRefused | None:
    """Why a piece cannot be taken; None when it can."""
    if len(piece.pcm) % 2 or not piece.pcm:
        return EngineRefused(
            EngineProblem.BAD_INPUT, Message("diarization.not_samples", "The audio must be 16-bit samples.")
        )
    if piece.duration_ms > MAX_PIECE_MS:
        return EngineRefused(
            EngineProblem.BAD_INPUT,
            Message(
                "diarization.too_long",
                "A piece of audio may last {seconds} s; this one is longer.",
                seconds=MAX_PIECE_MS // 1000,
            ),
        )
    return None


def windows_of(piece: SoundPiece, index: int) -> Iterator[PieceWindow]:
    """The windows of the piece that is the `index`th of its batch."""
    whole = np.frombuffer(piece.pcm, "<i2").astype(np.float32) / 32_768.0
    for start_ms in window_starts(piece.duration_ms):
        first = start_ms * SAMPLE_RATE // 1000
        wave = whole[first : first + WINDOW_SAMPLES]
        end_ms = start_ms + len(wave) * 1000 // SAMPLE_RATE
        padded = np.pad(wave, (0, WINDOW_SAMPLES - len(wave)))
        yield PieceWindow(index, piece.start_ms + start_ms, piece.start_ms + end_ms, padded)


def speaking(scores: NDArray[np.float32], speakers: int, at_once: int) -> NDArray[np.bool_]:
    """Who speaks, from the scores of a powerset model: (windows, frames, classes) to (windows, frames, speakers).

    Class 0 is nobody, then each speaker alone, then each pair, and so on up to `at_once` (pyannote's powerset encoding,
    Plaquet and Bredin 2023).
    """
    classes = _classes(speakers, at_once)
    if scores.shape[-1] != len(classes):
        raise ValueError(f"The segmentation model has {scores.shape[-1]} classes where {len(classes)} were expected.")
    return np.asarray(classes[scores.argmax(axis=-1)], np.bool_)


def judged(activity: Activity) -> Activity:
    """The frames by which each voice of a window is judged: those in which it is alone, or all where those are few."""
    alone = activity & (activity.sum(axis=1, keepdims=True) == 1)
    least = LEAST_MS * len(activity) / WINDOW_MS
    enough = alone.sum(axis=0) >= least
    return np.asarray(np.where(enough, alone, activity & (activity.sum(axis=0) >= least)), np.bool_)


def voices_of(window: PieceWindow, activity: Activity, embeddings: Sequence[Wave | None]) -> VoiceWindow:
    """The voices that speak in the window, each with its embedding."""
    frame_ms = WINDOW_MS / len(activity)
    alone = activity & (activity.sum(axis=1, keepdims=True) == 1)
    voices: list[LocalVoice] = []
    for speaker in np.flatnonzero(activity.any(axis=0)).tolist():
        stretches = tuple(_stretches(activity[:, speaker], frame_ms, window))
        if stretches:
            embedding = embeddings[speaker]
            voices.append(
                LocalVoice(
                    stretches,
                    round(float(alone[:, speaker].sum()) * frame_ms),
                    None if embedding is None else as_bytes(embedding),
                )
            )
    return VoiceWindow(window.start_ms, window.end_ms, tuple(voices))


def in_pieces(
    pieces: Sequence[SoundPiece], windows: Sequence[PieceWindow], voices: Sequence[VoiceWindow], likeness: float
) -> list[PieceVoices]:
    """The voices of each piece of a batch, in the order of the pieces."""
    by_piece: list[list[VoiceWindow]] = [[] for _ in pieces]
    for window, found in zip(windows, voices, strict=True):
        by_piece[window.piece].append(found)
    return [PieceVoices(piece.index, tuple(found), likeness) for piece, found in zip(pieces, by_piece, strict=True)]


def as_bytes(embedding: Wave) -> bytes | None:
    """The embedding as a unit vector; None for one without a direction."""
    length = float(np.linalg.norm(embedding))
    return (embedding / length).astype("<f4").tobytes() if length > 0 and np.isfinite(length) else None


def _classes(speakers: int, at_once: int) -> NDArray[np.bool_]:
    sets = [each for size in range(at_once + 1) for each in combinations(range(speakers), size)]
    classes = np.zeros((len(sets), speakers), np.bool_)
    for index, members in enumerate(sets):
        classes[index, list(members)] = True
    return classes


def _stretches(active: NDArray[np.bool_], frame_ms: float, window: PieceWindow) -> Iterator[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], active, [False]]).astype(np.int8)))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        start_ms = window.start_ms + round(float(start) * frame_ms)
        end_ms = min(window.end_ms, window.start_ms + round(float(stop) * frame_ms))
        if end_ms > start_ms:
            yield start_ms, end_ms
