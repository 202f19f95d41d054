"""The timecode that a camera gave a film's first frame, kept in exports. Source: SMPTE ST 12-1."""

from __future__ import annotations

import re

from pipelines.media.probe import VideoFacts
from pipelines.messages.export_form import Clip, FileForm

_TIMECODE = re.compile(r"(\d\d):([0-5]\d):([0-5]\d)([:;.])(\d\d)", re.ASCII)
_RATES = (24, 25, 30, 48, 50, 60)
"""Frames a second that a timecode counts; others have none, and ffmpeg refuses to write one."""
_NTSC = 1000 / 1001
_SLACK = 0.002
"""The rate of a file is known to three digits, and its last frame may be cut short."""


def timecode_tags(video: VideoFacts | None, form: FileForm, clip: Clip | None) -> list[str]:
    """The arguments that give the exported picture its timecode: the original's, or that of the clip's first frame."""
    found = _TIMECODE.fullmatch(video.timecode) if video is not None else None
    if video is None or found is None or form not in (FileForm.MP4, FileForm.MKV):
        return []
    counted = min(_RATES, key=lambda rate: abs(rate - video.fps))
    exact = min(counted, counted * _NTSC, key=lambda rate: abs(rate - video.fps))
    if abs(exact - video.fps) > _SLACK * exact or video.most_fps > counted + 1:
        return []
    hours, minutes, seconds, frames = (int(found[group]) for group in (1, 2, 3, 5))
    if frames >= counted:
        return []
    # Drop frame leaves out the first numbers of each minute but every tenth, two at 30 and four at 60.
    dropped = counted // 15 if found[4] != ":" and counted % 30 == 0 else 0
    whole = hours * 60 + minutes
    number = (whole * 60 + seconds) * counted + frames - dropped * (whole - whole // 10)
    number += 0 if clip is None else int(clip.start_ms * exact / 1000 + 0.5)
    return ["-metadata:s:v:0", f"timecode={_written(number, counted, dropped)}"]


def _written(number: int, counted: int, dropped: int) -> str:
    ten_minutes = counted * 600 - 9 * dropped
    tens, rest = divmod(number % (ten_minutes * 6 * 24), ten_minutes)
    number = tens * counted * 600 + rest
    if dropped and rest >= counted * 60:
        number += dropped * (1 + (rest - counted * 60) // (counted * 60 - dropped))
    seconds, frames = divmod(number, counted)
    sign = ";" if dropped else ":"
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{sign}{frames:02}"
