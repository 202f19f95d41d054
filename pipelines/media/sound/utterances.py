"""Cuts sound into utterances while it arrives: what somebody says between two pauses.

The rules for stored files (`speech.py`) look at the silence on both sides of a stretch. Here nobody knows what comes.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from pipelines.media.sound.pcm import BYTES_PER_SAMPLE
from pipelines.media.sound.speech import DEFAULT_CUT, cut_by
from pipelines.media.sound.voice import FRAME, FRAME_MS, VoiceFinder, probabilities_of
from pipelines.messages.live import PAUSE_MS
from pipelines.messages.requests import VoiceDetection

SHORT_PAUSE_MS = 250
SHORT_PAUSE_AFTER_MS = 15_000
"""Who has spoken for so long is cut at a shorter pause: lines are made when an utterance ends."""
LONGEST_MS = 28_000
"""Then it is cut wherever it is: a model takes 30 s at most."""
_BEGIN_FRAMES = 2
"""A voice in one frame alone may be a click."""
_BLOCK_FRAMES = 4
"""128 ms of sound for a call of the voice model, which takes about one."""
_FRAME_BYTES = FRAME * BYTES_PER_SAMPLE


@dataclass(frozen=True, slots=True)
class UtteranceRules:
    """When an utterance begins and ends. `begin` and `keep` are probabilities of a voice, as in `CutRules`."""

    begin: float = DEFAULT_CUT.begin
    keep: float = DEFAULT_CUT.keep
    pause_ms: int = PAUSE_MS
    before_ms: int = 320
    """Sound before the first voice that belongs to it, for soft first sounds."""

    @classmethod
    def of(cls, detection: VoiceDetection) -> UtteranceRules:
        cut = cut_by(detection.threshold, detection.silence_ms, detection.padding_ms)
        return cls(cut.begin, cut.keep, detection.silence_ms, detection.padding_ms)


DEFAULT_RULES = UtteranceRules()


@dataclass(frozen=True, slots=True)
class UtteranceSound:
    """The next sound of an utterance, which begins with it where `begins`. `start_ms` is where the utterance begins."""

    start_ms: int
    pcm: bytes
    begins: bool
    ends: bool


class UtteranceCutter:
    """Give it all sound, in order. Memory does not grow but for one byte every 32 ms."""

    def __init__(self, start_ms: int = 0, rules: UtteranceRules = DEFAULT_RULES) -> None:
        """`start_ms` is where the first sound stands in the recording."""
        self._rules = rules
        self._finder = VoiceFinder(_BLOCK_FRAMES)
        self._start_ms = start_ms
        self._waiting = bytearray()
        self._before: deque[bytes] = deque(maxlen=max(_BEGIN_FRAMES, -(-rules.before_ms // FRAME_MS)))
        self._frames = 0
        self._voiced = 0
        """Frames in a row with a voice, while no utterance is open."""
        self._quiet = 0
        self._length = 0
        """Frames of the open utterance."""
        self._is_open = False
        self._first_ms = 0

    @property
    def is_open(self) -> bool:
        """Whether somebody speaks."""
        return self._is_open

    @property
    def quiet_until_ms(self) -> int | None:
        """Until where it is known that no open utterance has sound; None while somebody speaks."""
        if self._is_open:
            return None
        return self._start_ms + (self._frames - len(self._before)) * FRAME_MS

    def add(self, pcm: bytes) -> list[UtteranceSound]:
        """The next samples: mono signed 16-bit little-endian at 16 kHz. What of them belongs to utterances."""
        self._waiting += pcm
        self._finder.add(pcm)
        return self._cut(self._finder.since(self._frames))

    def finish(self) -> list[UtteranceSound]:
        """No sound follows."""
        sounds = self._cut(self._finder.finish()[self._frames :])
        if self._is_open:
            sounds.append(self._end(b""))
        return _joined(sounds)

    def _cut(self, voices: bytes) -> list[UtteranceSound]:
        sounds: list[UtteranceSound] = []
        for voice in probabilities_of(voices):
            frame = bytes(self._waiting[:_FRAME_BYTES])
            del self._waiting[:_FRAME_BYTES]
            self._frames += 1
            sound = self._continue(frame, voice) if self._is_open else self._listen(frame, voice)
            if sound is not None:
                sounds.append(sound)
        return _joined(sounds)

    def _listen(self, frame: bytes, voice: float) -> UtteranceSound | None:
        self._before.append(frame)
        self._voiced = self._voiced + 1 if voice >= self._rules.begin else 0
        if self._voiced < _BEGIN_FRAMES:
            return None
        self._is_open, self._quiet, self._length = True, 0, len(self._before)
        self._first_ms = self._start_ms + (self._frames - len(self._before)) * FRAME_MS
        pcm = b"".join(self._before)
        self._before.clear()
        return UtteranceSound(self._first_ms, pcm, begins=True, ends=False)

    def _continue(self, frame: bytes, voice: float) -> UtteranceSound:
        self._length += 1
        self._quiet = self._quiet + 1 if voice < self._rules.keep else 0
        length_ms, quiet_ms = self._length * FRAME_MS, self._quiet * FRAME_MS
        is_long = length_ms >= SHORT_PAUSE_AFTER_MS
        pause_ms = min(SHORT_PAUSE_MS, self._rules.pause_ms) if is_long else self._rules.pause_ms
        if quiet_ms >= pause_ms or length_ms >= LONGEST_MS:
            return self._end(frame)
        return UtteranceSound(self._first_ms, frame, begins=False, ends=False)

    def _end(self, frame: bytes) -> UtteranceSound:
        self._is_open, self._voiced = False, 0
        return UtteranceSound(self._first_ms, frame, begins=False, ends=True)


def _joined(sounds: list[UtteranceSound]) -> list[UtteranceSound]:
    """Sounds of one utterance that follow each other, as one."""
    joined: list[UtteranceSound] = []
    for sound in sounds:
        if joined and not sound.begins:
            last = joined[-1]
            joined[-1] = UtteranceSound(last.start_ms, last.pcm + sound.pcm, last.begins, sound.ends)
        else:
            joined.append(sound)
    return joined
