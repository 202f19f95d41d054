"""The flow of kind `speech_sound`: decode the sound of a call of the speech API, so that `transcribe` can read it."""

from __future__ import annotations

from collections.abc import Generator

from cluster.settings import get_cluster_settings
from cluster.storage.opening import open_storage
from cluster.wording.message import Message
from pipelines.flows.ingest import WAV, decoding, store_file, stored_source
from pipelines.media.probe import probe
from pipelines.media.sound.audio import STAGE, DecodedAudio
from pipelines.media.sound.short_sound import ShortSounds
from pipelines.messages.attempt import Attempt, Progress, Result, StageFailed
from pipelines.messages.requests import SpeechSoundRequest
from pipelines.messages.results import SpeechSoundResult

_SOUNDS = ShortSounds()
"""Stays between the jobs of a worker."""
NO_SOUND = Message("pipelines.flows.no_sound", "This file has no sound, so there is nothing to transcribe.")


def run(request: SpeechSoundRequest, attempt: Attempt) -> Generator[Progress | Result, None, None]:
    """Progress is in milliseconds of decoded sound. Raises only `StageFailed`."""
    storage = open_storage(get_cluster_settings())
    with stored_source(storage, attempt, request.source_key) as path:
        short_ms = _SOUNDS.decode(path, attempt.work / WAV)
        if short_ms is not None:
            yield Progress("decoding", short_ms, short_ms, "audio_ms")
            yield Result(
                SpeechSoundResult(audio_key=store_file(storage, attempt, attempt.work / WAV), duration_ms=short_ms)
            )
            return
        facts = probe(path)
        yield Progress("probing", 0, facts.duration_ms, "audio_ms")
        if facts.audio is None:
            raise StageFailed(STAGE, NO_SOUND, retryable=False)
        decoded = DecodedAudio()
        yield from decoding(path, facts, attempt, decoded)
    audio_key = store_file(storage, attempt, attempt.work / WAV)
    yield Result(SpeechSoundResult(audio_key=audio_key, duration_ms=decoded.duration_ms or facts.duration_ms))
