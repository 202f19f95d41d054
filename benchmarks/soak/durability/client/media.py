"""What users upload: short spoken videos of several kinds, made unique by padding."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from api.testing.files.spoken_video import make_video

CLIPS = ("en1-rms", "en4-slt")
LONG_S = 40
_QUIET = ("ffmpeg", "-nostdin", "-v", "error", "-y")
_BOX = b"free"


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    data: bytes


def make_sources(folder: Path) -> list[Source]:
    """A video that browsers play, one that needs a playback copy, a long one of those, an audio and a text file."""
    folder.mkdir(parents=True, exist_ok=True)
    plain = make_video(folder / "plain.mp4", list(CLIPS))
    old, long, sound = folder / "old.mp4", folder / "long.mp4", folder / "sound.m4a"
    recode = ["-c:v", "mpeg4", "-b:v", "400k", "-c:a", "copy"]
    _run("-i", str(plain), *recode, str(old))
    _run("-stream_loop", "-1", "-i", str(plain), "-t", str(LONG_S), "-vf", "noise=alls=20:allf=t", *recode, str(long))
    _run("-i", str(plain), "-vn", "-c:a", "copy", str(sound))
    return [
        Source("plain.mp4", plain.read_bytes()),
        Source("old.mp4", old.read_bytes()),
        Source("long.mp4", long.read_bytes()),
        Source("sound.m4a", sound.read_bytes()),
        Source("letter.mp4", b"Dear reader, this is no video.\n" * 2000),
    ]


def unlike_others(source: Source, luck: random.Random, padding: int) -> bytes:
    """The source with `padding` random bytes at its end, in a box that players skip."""
    return source.data + (8 + padding).to_bytes(4, "big") + _BOX + luck.randbytes(padding)


def _run(*arguments: str) -> None:
    subprocess.run([*_QUIET, *arguments], check=True)
