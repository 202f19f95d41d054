"""Choose which segments of a window to keep: models also transcribe silence, music and their own echo."""

from __future__ import annotations

from pipelines.media.sound.speech import SpeechWindow
from serve.tasks.transcription.doubts import is_hopeless
from serve.tasks.transcription.messages import Segment, WindowResult


def believable(window: SpeechWindow, result: WindowResult) -> tuple[Segment, ...]:
    """The segments that overlap detected speech and are not hopeless. Doubtful ones stay, with their doubts."""
    return tuple(
        segment for segment in result.segments if not is_hopeless(segment.doubts) and _is_spoken(segment, window)
    )


def _is_spoken(segment: Segment, window: SpeechWindow) -> bool:
    end = max(segment.end_ms, segment.start_ms + 1)
    return any(segment.start_ms < until and since < end for since, until in window.speech)
