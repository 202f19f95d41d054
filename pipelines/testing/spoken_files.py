"""Files of spoken clips, stored as ingest stores them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cluster.storage.objects import Storage
from pipelines.messages.requests import TranscribeRequest
from pipelines.testing.voices import silence, write_wav
from serve.testing.speech import SpokenClip

GAP_S = 3.5
"""Longer than windows may span, so that each clip becomes its own window."""


def store_spoken(storage: Storage, folder: Path, name: str, clips: Sequence[SpokenClip]) -> TranscribeRequest:
    """The request to transcribe a file of the clips one after another, with silences between."""
    parts = [part for clip in clips for part in (clip.pcm, silence(GAP_S))]
    key = f"files/{name}/audio.wav"
    size = storage.put(write_wav(folder / f"{name}.wav", *parts), key)
    return TranscribeRequest(file_id=name, audio_key=key, duration_ms=size // 32, language="auto")
