"""A part of a file: how to open it there, and its captions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from pipelines.media.ffmpeg import source
from pipelines.media.probe import MediaFacts
from pipelines.messages.export_form import Clip
from pipelines.messages.lines import CaptionLine


def open_at(path: Path, facts: MediaFacts, clip: Clip | None) -> list[str]:
    """The arguments that open the original so that the clip starts at 0; without one, at its viewers' 0."""
    if clip is None:
        # Times that start late stay as exact as they are in the file.
        return ["-copyts", *source(path)] if facts.clock_offset_ms else source(path)
    into_ms = clip.start_ms - facts.clock_offset_ms
    return source(path, seek_ms=into_ms) if into_ms >= 0 else source(path, offset_ms=-into_ms)


def lines_within(lines: Sequence[CaptionLine], facts: MediaFacts, clip: Clip | None) -> list[CaptionLine]:
    """The lines that show during the clip or, without one, during the file, with times from its start.

    Containers take a caption after the end for the end: an MKV of two seconds would be an hour long.
    """
    clip = clip or Clip(0, facts.duration_ms)
    return [
        replace(
            line,
            start_ms=max(0, line.start_ms - clip.start_ms),
            end_ms=min(clip.end_ms, line.end_ms) - clip.start_ms,
            words=tuple(
                # Also those before the clip: the text still has them, and their styles.
                replace(
                    word,
                    start_ms=max(0, word.start_ms - clip.start_ms),
                    end_ms=max(0, word.end_ms - clip.start_ms),
                )
                for word in line.words
            ),
        )
        for line in lines
        if line.end_ms > max(clip.start_ms, line.start_ms) and line.start_ms < clip.end_ms
    ]


def length_ms(facts: MediaFacts, clip: Clip | None) -> int:
    return facts.duration_ms if clip is None else min(clip.duration_ms, max(0, facts.duration_ms - clip.start_ms))
