"""Where the keyframes of a video stand, and how it divides into parts that can be encoded on their own."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from cluster.limited_process.process import LimitedProcess, ProcessFailed
from pipelines.media.ffmpeg import FORMAT_WHITELIST
from pipelines.media.limits import PROBE_SIZE_BYTES, index_limits
from pipelines.media.probe import MediaFacts, VideoFacts
from pipelines.media.sniff import Container

_CHILD = Path(__file__).with_name("frame_index_child.py")
_EXACT = frozenset({Container.MP4, Container.MATROSKA})
"""Containers in which ffmpeg finds a keyframe by its time."""
PART_MS = 6_000
"""The least length of a part: an edit encodes one again, and each costs a keyframe and a stored object."""
PARTS_MAX = 2_000
_FINEST = Fraction(1, 400_000)
"""ffmpeg's options have microseconds: finer frame times cannot be named exactly."""


@dataclass(frozen=True, slots=True)
class Part:
    """Frames from a keyframe up to the next part. `start` is in the stream's time base.

    `after_s` and `before_s` lie halfway between neighbouring frames, so that no rounding moves a frame to another part.
    """

    number: int
    start: int
    first_frame: int
    frames: int
    start_us: int
    after_s: float
    before_s: float


@dataclass(frozen=True, slots=True)
class Division:
    """A video as parts. `clock_us` is ffmpeg's start of the file, from which it counts when it seeks."""

    parts: tuple[Part, ...]
    time_base: Fraction
    clock_us: int


def divide(path: Path, facts: MediaFacts, *, part_ms: int = PART_MS) -> Division | None:
    """The parts of the video; None where they could not be joined exactly, or there would be only one."""
    video = facts.video
    if video is None or facts.container not in _EXACT or facts.duration_ms < 2 * part_ms:
        return None
    found = _read(path, video)
    if not found or found["start_us"] < 0:
        return None
    base = Fraction(*found["time_base"])
    if base < _FINEST or tuple(found["time_base"]) != video.time_base:
        return None
    least = Fraction(max(part_ms, facts.duration_ms // PARTS_MAX), 1000) / base
    starts: list[tuple[int, int, int]] = []
    for time, before, previous in found["keys"]:
        if not starts or (time - starts[-1][0] >= least and found["last"] - time >= least / 2):
            starts.append((time, before, previous))
    if len(starts) < 2 or starts[0][1] != 0:
        return None
    parts = []
    for number, (time, before, previous) in enumerate(starts):
        following = starts[number + 1] if number + 1 < len(starts) else None
        end = float((following[0] + following[2]) * base / 2) if following else float((found["last"] + 1) * base) + 1
        parts.append(
            Part(
                number=number,
                start=time,
                first_frame=before,
                frames=(following[1] if following else found["frames"]) - before,
                start_us=round(time * base * 1_000_000),
                after_s=float((time + previous) * base / 2) if number else 0.0,
                before_s=end,
            )
        )
    return Division(tuple(parts), base, found["start_us"])


def _read(path: Path, video: VideoFacts) -> dict[str, Any]:
    command = [sys.executable, "-I", str(_CHILD), str(path.absolute()), FORMAT_WHITELIST]
    command += [str(video.index), str(PROBE_SIZE_BYTES)]
    try:
        with LimitedProcess(command, index_limits(path.stat().st_size)) as process:
            answer = b"".join(process.output())
    except ProcessFailed:
        # The file can still be encoded in one pass, which says what is wrong with it.
        return {}
    found: dict[str, Any] = json.loads(answer)
    return found
