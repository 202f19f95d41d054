"""The still picture that stands for a file in lists and before playback."""

from __future__ import annotations

from pathlib import Path

import structlog

from cluster.wording.message import Message
from pipelines.media.ffmpeg import run, source
from pipelines.media.limits import preprocess_limits
from pipelines.media.probe import MediaFacts
from pipelines.messages.attempt import DISK_FULL, StageFailed

log = structlog.get_logger(__name__)

STAGE = "poster"
MAX_WIDTH = 640
_FRAMES = 24
"""`thumbnail` picks the most typical of this many frames, which skips a fade from black."""
_LATEST_MS = 30_000
_FAILURE = Message("pipelines.media.poster_failure", "No still picture could be made of this file.")


def make_poster(path: Path, facts: MediaFacts, picture: Path, *, width: int = MAX_WIDTH) -> bool:
    """Write a JPEG from near the start of the video, or the cover of an audio file; False when there is no picture.

    `width`: the most pixels that it has from left to right.
    """
    index = facts.video.index if facts.video else facts.cover_index
    if index is None:
        return False
    seek_ms = min(facts.duration_ms // 10, _LATEST_MS) if facts.video else 0
    # Damaged or very short files may have no frame after the position sought.
    return any(_grab(path, index, at_ms, picture, facts, width) for at_ms in dict.fromkeys((seek_ms, 0)))


def _grab(path: Path, index: int, seek_ms: int, picture: Path, facts: MediaFacts, width: int) -> bool:
    # Scale down before comparing: two dozen full 8K pictures would need more memory than there is.
    filters = (
        f"scale=w='min({width},iw*sar)':h=-2,setsar=1,thumbnail={_FRAMES}"
        if facts.video
        else (f"scale=w='min({width},iw)':h=-2")
    )
    arguments = [
        *source(path, seek_ms=seek_ms),
        *("-map", f"0:{index}", "-frames:v", "1", "-vf", f"{filters},format=yuvj420p"),
        *("-map_metadata", "-1", "-c:v", "mjpeg", "-q:v", "4", "-f", "image2", "-update", "1", picture.name),
    ]
    try:
        run(STAGE, arguments, limits=preprocess_limits(0), cwd=picture.parent, failure=_FAILURE)
    except StageFailed as failed:
        if failed.reason == DISK_FULL:
            raise
        # A file without a poster can still be transcribed.
        log.warning("media.no_poster", reason=failed.reason, seek_ms=seek_ms)
        return False
    return picture.is_file() and picture.stat().st_size > 0
