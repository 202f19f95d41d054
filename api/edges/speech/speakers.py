"""Who speaks in a call: what the program says about its speakers, and the text by speaker."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pydantic import Field

from api.edges.speech.schemas import DiarizedSegment
from pipelines.captions.texts.text import join_words
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.lines import CaptionWord
from pipelines.messages.speakers import SpeakerReference, Turn
from pipelines.speakers.word_speakers import speakers_of
from serve.tasks.transcription.messages import Segment

_DATA_URL = re.compile(r"data:[\w.+/-]*(?:;[\w.=+-]+)*;base64,", re.IGNORECASE)
NO_DATA_URL = "Each reference is sound as a data URL in base64, such as `data:audio/wav;base64,…`."


class WantedSpeakers(JsonMessage):
    """How many people speak, where the program knows, and stored references of those it names."""

    count: int | None = None
    references: tuple[SpeakerReference, ...] = ()


class SpeakerTurns(JsonMessage):
    """The turns of a sound, and whose references their speakers sound like, by label."""

    turns: tuple[Turn, ...]
    names: dict[str, str] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SentReference:
    name: str
    sound: bytes


def sound_of(data_url: str) -> bytes:
    """The bytes of a data URL. Raises `ValueError` for anything else."""
    head = _DATA_URL.match(data_url)
    if head is None:
        raise ValueError(NO_DATA_URL)
    try:
        return base64.b64decode(data_url[head.end() :], validate=True)
    except binascii.Error:
        raise ValueError(NO_DATA_URL) from None


def diarized(segments: Sequence[Segment], said: SpeakerTurns) -> list[DiarizedSegment]:
    """A segment for each run of words of one speaker in each of the model's segments.

    A speaker has the name of its reference, else a letter in order of appearance. Where nobody was told apart, all of
    it is `A`.
    """
    words = [word for segment in segments for word in _words(segment)]
    speakers = iter(speakers_of(words, said.turns))
    labels = _Labels(said.names)
    found: list[DiarizedSegment] = []
    for segment in segments:
        spoken = [(next(speakers), word) for word in _words(segment)]
        for speaker, run in groupby(spoken, key=lambda each: each[0]):
            own = [word for _, word in run]
            found.append(
                DiarizedSegment(
                    id=f"seg_{len(found)}",
                    start=own[0].start_ms / 1000,
                    end=own[-1].end_ms / 1000,
                    text=join_words([word.text for word in own]),
                    speaker=labels.of(speaker),
                )
            )
    return found


def _words(segment: Segment) -> Iterator[CaptionWord]:
    """One for the whole segment where the model gave no words."""
    if not segment.words:
        yield CaptionWord(segment.start_ms, segment.end_ms, segment.text)
    for word in segment.words:
        yield CaptionWord(word.start_ms, word.end_ms, word.text)


class _Labels:
    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self._letters: dict[str | None, str] = {}

    def of(self, speaker: str | None) -> str:
        if speaker is not None and speaker in self._names:
            return self._names[speaker]
        return self._letters.setdefault(speaker, _letter(len(self._letters)))


def _letter(number: int) -> str:
    """A to Z, then AA."""
    return chr(ord("A") + number) if number < 26 else _letter(number // 26 - 1) + _letter(number % 26)
