"""How people sound whom a program names by a few seconds of their voice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from cluster.storage.objects import Storage
from cluster.wording.message import Wording
from pipelines.flows.ingest import stored_source
from pipelines.flows.speakers.pieces import SpeakerClient
from pipelines.media.probe import probe
from pipelines.media.sound.audio import DecodedAudio, decode
from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.short_sound import ShortSounds
from pipelines.messages.attempt import Attempt, StageFailed
from pipelines.messages.speakers import (
    BAD_REFERENCE,
    REFERENCE_LONGEST_MS,
    REFERENCE_SHORTEST_MS,
    SpeakerReference,
)
from pipelines.speakers.voices import KnownVoice
from serve.tasks.diarization.messages import PieceVoices, SoundPiece

STAGE = "speakers"
REFERENCE_UNREADABLE = Wording(
    "pipelines.flows.reference_unreadable", "The reference of {name} cannot be read. Send sound such as WAV or MP3."
)
REFERENCE_LENGTH = Wording(
    "pipelines.flows.reference_length", "The reference of {name} is {seconds} s long. Send 2 to 10 s of that voice."
)
REFERENCE_SILENT = Wording("pipelines.flows.reference_silent", "Nobody speaks in the reference of {name}.")

_SOUNDS = ShortSounds()
"""Stays between the jobs of a worker."""
_INEXACT_MS = 200
"""Coded sound is a little longer or shorter than what was cut."""


def reference_voices(
    references: Sequence[SpeakerReference], attempt: Attempt, storage: Storage, client: SpeakerClient
) -> list[KnownVoice]:
    """The voice of each reference. Raises `StageFailed` with the code `BAD_REFERENCE` for one that is of no use."""
    return [
        _voice(reference.name, client.submit(SoundPiece(attempt.job_id, index, 0, pcm)).result())
        for index, reference in enumerate(references)
        for pcm in [_sound(reference, attempt, storage)]
    ]


def _sound(reference: SpeakerReference, attempt: Attempt, storage: Storage) -> bytes:
    wav = attempt.work / "reference.wav"
    with stored_source(storage, attempt, reference.key) as path:
        try:
            duration_ms = _SOUNDS.decode(path, wav)
            if duration_ms is None:
                duration_ms = _decoded(path, wav)
        except StageFailed as problem:
            raise _refused(REFERENCE_UNREADABLE(name=reference.name)) from problem
    if not REFERENCE_SHORTEST_MS - _INEXACT_MS <= duration_ms <= REFERENCE_LONGEST_MS + _INEXACT_MS:
        raise _refused(REFERENCE_LENGTH(name=reference.name, seconds=f"{duration_ms / 1000:.1f}"))
    with PcmFile(wav) as audio:
        return audio.read(0, audio.duration_ms)


def _decoded(path: Path, wav: Path) -> int:
    """The usual way, for what the quick one leaves aside. A long sound is not decoded: its length is enough."""
    facts = probe(path)
    if facts.audio is None or facts.duration_ms > 2 * REFERENCE_LONGEST_MS:
        return facts.duration_ms if facts.audio is not None else 0
    decoded = DecodedAudio()
    for _ in decode(path, facts, wav=wav, into=decoded):
        continue
    return decoded.duration_ms


def _voice(name: str, heard: PieceVoices) -> KnownVoice:
    voices = [voice for window in heard.windows for voice in window.voices if voice.embedding is not None]
    if not voices:
        raise _refused(REFERENCE_SILENT(name=name))
    best = max(voices, key=lambda voice: voice.alone_ms)
    half = np.frombuffer(best.embedding or b"", "<f4").astype("<f2").tobytes()
    return KnownVoice(name, half, max(1, best.alone_ms))


def _refused(sentence: str) -> StageFailed:
    return StageFailed(STAGE, sentence, retryable=False, code=BAD_REFERENCE)
