"""Finds where the picture of a video cuts."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from cluster.wording.message import Message
from pipelines.media.ffmpeg import source, stream
from pipelines.media.limits import MAX_OUTPUT_FPS, preprocess_limits
from pipelines.media.probe import VideoFacts

STAGE = "shots"
THRESHOLD = 10
"""The difference of two pictures, of 100, that counts as a cut: the default of ffmpeg's filter `scdet`."""
WIDTH_PX = 160
"""Pictures are compared at this width. Grain and compression vanish, and comparing costs far less than decoding."""
CLOSEST_MS = 200
"""A flash is a change there and back, not a shot of its own."""
SHOTS_MAX = 20_000
"""A cut every 0.7 s of the longest file. More of them help nobody."""
UNREADABLE = Message(
    "pipelines.media.unreadable", "The picture of this video cannot be read to its end, so its shots are unknown."
)

_CUT = re.compile(rb"frame:\d+ +pts:(\d{1,15}) ")
"""The frame that the filter marks, in microseconds: ffmpeg 5 writes its seconds with six digits, too few later on."""
_WRITTEN = re.compile(rb"out_time_us=(\d{1,18})$")


def find_shots(
    path: Path, video: VideoFacts, duration_ms: int, shots: list[int], work: Path
) -> Generator[int, None, None]:
    """Yield the milliseconds read, and append the cuts to `shots`: ascending, in milliseconds from the file's start.

    Raises `StageFailed`.
    """
    thinned = f"fps={MAX_OUTPUT_FPS}," if video.most_fps > MAX_OUTPUT_FPS + 1 else ""
    filters = f"{thinned}scale={WIDTH_PX}:-2:flags=fast_bilinear,format=yuv420p,scdet=threshold={THRESHOLD}"
    filters += ",settb=AVTB,metadata=mode=print:key=lavfi.scd.time:file=-:direct=1"
    arguments = [
        *source(path),
        *("-map", f"0:{video.index}", "-an", "-sn", "-dn", "-vf", filters, "-progress", "pipe:1", "-f", "null", "-"),
    ]
    limits = preprocess_limits(duration_ms)
    rest = b""
    with closing(stream(STAGE, arguments, limits=limits, cwd=work, failure=UNREADABLE)) as blocks:
        for block in blocks:
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                if found := _CUT.match(line):
                    # Rounded down, as all times that meet frames; the microseconds were rounded before.
                    _add(shots, (int(found[1]) + 1) // 1000)
                elif written := _WRITTEN.search(line):
                    yield min(int(written[1]) // 1000, duration_ms)


def _add(shots: list[int], at_ms: int) -> None:
    if len(shots) < SHOTS_MAX and at_ms - (shots[-1] if shots else 0) >= CLOSEST_MS:
        shots.append(at_ms)
