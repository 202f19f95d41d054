"""Send the sound of one file through the speaker model, piece by piece, a bounded number at a time."""

from __future__ import annotations

import base64
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.voice import FRAME_MS, voice_probabilities
from pipelines.messages.attempt import Attempt
from pipelines.messages.json_message import JsonMessage
from serve.core.messages import EngineInfo
from serve.tasks.diarization.messages import (
    MAX_PIECE_MS,
    STEP_MS,
    WINDOW_MS,
    LocalVoice,
    PieceVoices,
    SoundPiece,
    VoiceWindow,
)

_YIELD_EVERY_S = 2.0
_VOICE = 0.3
"""Probability from which a moment may hold a voice."""
PIECE_STEP_MS = MAX_PIECE_MS - (WINDOW_MS - STEP_MS)
"""Pieces overlap so that their windows follow each other every `STEP_MS` through the whole file."""


class SpeakerClient(Protocol):
    """What the flow needs from the `Diarizer` deployment. Refusals are raised as `EngineRefused`."""

    def describe(self) -> EngineInfo: ...

    def submit(self, piece: SoundPiece, /) -> Future[PieceVoices]: ...

    def close(self) -> None: ...


class KeptVoice(JsonMessage):
    """A `LocalVoice` as rows keep it: the embedding in half precision, as base64."""

    stretches: tuple[tuple[int, int], ...]
    alone_ms: int
    embedding: str | None = None


class KeptWindow(JsonMessage):
    start_ms: int
    end_ms: int
    voices: tuple[KeptVoice, ...]


class DiarizedPiece(JsonMessage):
    """One finished piece, kept so that a later attempt starts after it. Other models' embeddings do not compare."""

    index: int
    start_ms: int
    end_ms: int
    model: str
    likeness: float
    windows: tuple[KeptWindow, ...]


@dataclass(frozen=True, slots=True)
class DonePiece:
    """A finished piece. `covered_ms` is the audio it accounts for: its own and the silence before it."""

    key: str
    piece: DiarizedPiece
    covered_ms: int
    is_new: bool


@dataclass(frozen=True, slots=True)
class _Span:
    index: int
    start_ms: int
    end_ms: int


def finished_pieces(
    audio: PcmFile, attempt: Attempt, client: SpeakerClient, info: EngineInfo, *, in_flight: int
) -> Generator[DonePiece | None]:
    """Yield pieces with a voice as they finish, in any order, and None now and then while none does.

    Pieces that an earlier attempt finished with the same model are not sent again. Closing it cancels those in flight.
    """
    model = f"{info.engine} {info.model}"
    spans = _spans(audio)
    waiting: dict[Future[PieceVoices], tuple[_Span, int]] = {}
    settled_ms = 0
    try:
        while True:
            while len(waiting) < in_flight and (span := next(spans, None)) is not None:
                covered_ms, settled_ms = span.end_ms - settled_ms, span.end_ms
                earlier = _finished_before(span, attempt, model)
                if earlier is not None:
                    yield DonePiece(_key(span), earlier, covered_ms, is_new=False)
                else:
                    pcm = audio.read(span.start_ms, span.end_ms)
                    future = client.submit(SoundPiece(attempt.job_id, span.index, span.start_ms, pcm))
                    waiting[future] = (span, covered_ms)
            if not waiting:
                return
            done, _ = wait(waiting, timeout=_YIELD_EVERY_S, return_when=FIRST_COMPLETED)
            if not done:
                yield None
            # Hand over finished pieces before a failure ends the attempt, so that the next attempt can skip them.
            for future in sorted(done, key=lambda future: future.exception() is not None):
                span, covered_ms = waiting.pop(future)
                yield DonePiece(_key(span), _diarized_piece(span, future.result(), model), covered_ms, is_new=True)
    finally:
        for future in waiting:
            future.cancel()


def windows_of(pieces: list[DiarizedPiece]) -> list[VoiceWindow]:
    """The windows of all pieces in order."""
    ordered = sorted(pieces, key=lambda piece: piece.index)
    return [
        VoiceWindow(window.start_ms, window.end_ms, tuple(_voice(voice) for voice in window.voices))
        for piece in ordered
        for window in piece.windows
    ]


def _spans(audio: PcmFile) -> Iterator[_Span]:
    """The pieces in which somebody may speak, on a grid of `PIECE_STEP_MS`."""
    duration_ms = audio.duration_ms
    voices = voice_probabilities(audio)
    ahead: list[float] = []
    """Probabilities from the start of the piece on."""
    for index in range(max(1, -(-(duration_ms - (WINDOW_MS - STEP_MS)) // PIECE_STEP_MS))):
        start_ms = index * PIECE_STEP_MS
        end_ms = min(duration_ms, start_ms + MAX_PIECE_MS)
        while len(ahead) * FRAME_MS < end_ms - start_ms and (voice := next(voices, None)) is not None:
            ahead.append(voice)
        if any(voice >= _VOICE for voice in ahead):
            yield _Span(index, start_ms, end_ms)
        del ahead[: PIECE_STEP_MS // FRAME_MS]


def _key(span: _Span) -> str:
    return f"piece-{span.index:06}"


def _finished_before(span: _Span, attempt: Attempt, model: str) -> DiarizedPiece | None:
    """The result of an earlier attempt for exactly this piece."""
    chunk = attempt.chunks.get(_key(span))
    earlier = DiarizedPiece.read(chunk) if chunk is not None else None
    if earlier is None or (earlier.start_ms, earlier.end_ms, earlier.model) != (span.start_ms, span.end_ms, model):
        return None
    return earlier


def _diarized_piece(span: _Span, voices: PieceVoices, model: str) -> DiarizedPiece:
    return DiarizedPiece(
        index=span.index,
        start_ms=span.start_ms,
        end_ms=span.end_ms,
        model=model,
        likeness=voices.likeness,
        windows=tuple(
            KeptWindow(
                start_ms=window.start_ms,
                end_ms=window.end_ms,
                voices=tuple(
                    KeptVoice(stretches=voice.stretches, alone_ms=voice.alone_ms, embedding=_as_text(voice.embedding))
                    for voice in window.voices
                ),
            )
            for window in voices.windows
        ),
    )


def _voice(kept: KeptVoice) -> LocalVoice:
    if kept.embedding is None:
        return LocalVoice(kept.stretches, kept.alone_ms)
    half = np.frombuffer(base64.b64decode(kept.embedding), "<f2")
    return LocalVoice(kept.stretches, kept.alone_ms, half.astype("<f4").tobytes())


def _as_text(embedding: bytes | None) -> str | None:
    if embedding is None:
        return None
    return base64.b64encode(np.frombuffer(embedding, "<f4").astype("<f2").tobytes()).decode("ascii")
