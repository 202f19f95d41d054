"""The timecode that a camera gave a film's first frame, kept in exports. Source: SMPTE ST 12-1."""

from __future__ import annotations

from pipelines.media.probe import VideoFacts
from pipelines.messages.export_form import Clip, FileForm
from pipelines.timecode import Counting, address_of

_RATES = (24, 25, 30, 48, 50, 60)
"""Frames a second that a timecode counts; others have none, and ffmpeg refuses to write one."""
_NTSC = 1000 / 1001
_SLACK = 0.002
"""The rate of a file is known to three digits, and its last frame may be cut short."""


def timecode_tags(video: VideoFacts | None, form: FileForm, clip: Clip | None) -> list[str]:
    """The arguments that give the exported picture its timecode: the original's, or that of the clip's first frame."""
    start = address_of(video.timecode) if video is not None else None
    if video is None or start is None or form not in (FileForm.MP4, FileForm.MKV):
        return []
    counted = min(_RATES, key=lambda rate: abs(rate - video.fps))
    exact = min(counted, counted * _NTSC, key=lambda rate: abs(rate - video.fps))
    if abs(exact - video.fps) > _SLACK * exact or video.most_fps > counted + 1:
        return []
    if start.frames >= counted:
        return []
    counting = Counting(counted, start.drop)
    number = start.at(counting, counted) + (0 if clip is None else int(clip.start_ms * exact / 1000 + 0.5))
    return ["-metadata:s:v:0", f"timecode={counting.address(number)}"]
