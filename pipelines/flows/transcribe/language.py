"""Detect the language of a file whose user did not choose one, by a vote of windows from across the file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.flows.transcribe.windows import SpeechClient, audio_window
from pipelines.languages import AUTO, whisper_code
from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.speech import DEFAULT_CUT, CutRules, SpeechWindow, speech_windows
from pipelines.messages.attempt import Attempt
from pipelines.messages.results import TranscribedWindow
from serve.tasks.transcription.messages import DecodeOptions

VOTERS = 3
"""Windows that vote, from the beginning, the middle and the end: enough to outvote an intro or a guest in another
language, few enough not to delay the first lines."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A Whisper code and its probability, 0 to 1. The code is None when the file is silent."""

    code: str | None
    probability: float


def choose_language(
    locale: str, audio: PcmFile, attempt: Attempt, client: SpeechClient, cut: CutRules = DEFAULT_CUT
) -> tuple[Iterator[SpeechWindow], Choice]:
    """The file's windows and the language to decode them in.

    A file in several languages is decoded in the one that covers most of it.
    """
    windows = speech_windows(audio, cut)
    if locale != AUTO:
        return windows, Choice(whisper_code(locale), 1.0)
    for chunk in attempt.chunks.values():
        if (window := TranscribedWindow.read(chunk)) is not None:
            # An earlier attempt chose the language and its lines are on screen, so we keep the choice.
            return windows, Choice(window.language, window.language_probability)
    every = list(windows)
    indices = {len(every) * (2 * voter + 1) // (2 * VOTERS) for voter in range(VOTERS)} if every else set()
    return iter(every), _vote([every[index] for index in sorted(indices)], audio, attempt, client)


def _vote(voters: list[SpeechWindow], audio: PcmFile, attempt: Attempt, client: SpeechClient) -> Choice:
    """The most probable language, each window weighted by how much speech it holds."""
    votes: dict[str, float] = {}
    spoken_ms = 0
    for window in voters:
        weight = sum(end - start for start, end in window.speech)
        spoken_ms += weight
        guess = client.detect(audio_window(window, audio, attempt, DecodeOptions()))
        for code, probability in guess.candidates:
            votes[code] = votes.get(code, 0.0) + probability * weight
    if not votes:
        return Choice(None, 0.0)
    best = max(votes, key=lambda code: votes[code])
    return Choice(best, votes[best] / max(1, spoken_ms))
