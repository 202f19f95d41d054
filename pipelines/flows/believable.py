"""Which segments of a window are kept: models also write down silence, music and their own echo."""

from __future__ import annotations

from pipelines.media.speech import SpeechWindow
from serve.messages import Segment, WindowResult
from serve.transcription.guard import Doubt

_ECHOES = frozenset({Doubt.LOOP, Doubt.REPETITIVE})


def believable(window: SpeechWindow, result: WindowResult) -> tuple[Segment, ...]:
    """The segments that touch detected speech and are not hopeless; merely doubtful ones stay, with their doubts."""
    return tuple(segment for segment in result.segments if not _is_hopeless(segment) and _is_spoken(segment, window))


def _is_hopeless(segment: Segment) -> bool:
    """Text where the sound is silent, or a repetition that the model itself finds unlikely."""
    doubts = set(segment.doubts)
    return Doubt.OUTSIDE_SPEECH in doubts or (Doubt.UNLIKELY in doubts and bool(doubts & _ECHOES))


def _is_spoken(segment: Segment, window: SpeechWindow) -> bool:
    end = max(segment.end_ms, segment.start_ms + 1)
    return any(segment.start_ms < until and since < end for since, until in window.speech)
