"""A film that exports divide into parts, and what of a video shows that nothing changed."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import av
import pytest

from pipelines.testing.media.samples import ffmpeg

SECONDS = 8


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight seconds with a rate that is no whole number, B-frames, uneven keyframes and sound that must be coded."""
    folder = tmp_path_factory.mktemp("film")
    ffmpeg("-f", "lavfi", "-i", f"testsrc=s=320x180:r=24000/1001:d={SECONDS}", "-f", "lavfi", "-i",
           f"sine=440:r=44100:d={SECONDS}", "-c:v", "libx264", "-preset", "veryfast", "-g", "30", "-pix_fmt", "yuv420p",
           "-c:a", "flac", "film.mkv", cwd=folder)  # fmt: skip
    ffmpeg("-itsoffset", "1", "-i", "film.mkv", "-c:v", "copy", "-c:a", "ac3", "film.mp4", cwd=folder)
    # The rate falls from 24 to 8 frames a second in the middle.
    ffmpeg("-i", "film.mkv", "-an", "-vf", f"select='lt(t,{SECONDS // 2})+not(mod(n,3))'", "-fps_mode", "passthrough",
           "-c:v", "libx264", "-g", "20", "varying.mp4", cwd=folder)  # fmt: skip
    return folder


def frame_times(path: Path) -> list[Any]:
    with av.open(str(path)) as video:
        return sorted(packet.pts * packet.time_base for packet in video.demux(video=0) if packet.pts is not None)


def sound_digest(path: Path) -> str:
    with av.open(str(path)) as opened:
        return hashlib.md5(b"".join(bytes(packet) for packet in opened.demux(audio=0))).hexdigest()
