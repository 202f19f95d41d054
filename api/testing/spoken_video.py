"""Videos that say sentences of the phrase book, so that the tiny Whisper knows every word of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from serve.testing.tiny_models.clips import clip_named, synthesise

PROJECT = Path(__file__).parents[2]


def text_of(clip: str) -> str:
    return clip_named(clip).text


def make_video(path: Path, clips: list[str], *, pause_s: float = 1.2) -> Path:
    """A 640 by 360 video on one dark colour, with the clips spoken one after the other."""
    folder = path.parent
    for clip in clips:
        synthesise(clip_named(clip), folder / f"{clip}.wav")
    inputs = [part for clip in clips for part in ("-i", str(folder / f"{clip}.wav"))]
    padded = ";".join(f"[{i}:a]apad=pad_dur={pause_s},aresample=48000[a{i}]" for i in range(len(clips)))
    joined = "".join(f"[a{i}]" for i in range(len(clips))) + f"concat=n={len(clips)}:v=0:a=1[a]"
    picture = ["-f", "lavfi", "-i", "color=c=0x203040:s=640x360:r=10"]
    sound = ["-filter_complex", f"{padded};{joined}", "-map", f"{len(clips)}:v", "-map", "[a]", "-c:a", "aac"]
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-shortest"]
    quiet = ["ffmpeg", "-nostdin", "-v", "error", "-y"]
    subprocess.run([*quiet, *inputs, *picture, *sound, *coding, str(path)], check=True)
    return path
