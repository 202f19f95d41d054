"""Videos that say sentences of the phrase book, so that the tiny Whisper knows every word of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from serve.testing.tiny_models.clips import clip_named, synthesise

PROJECT = Path(__file__).parents[3]


_ON = {"L": ",pan=stereo|c0=c0|c1=0*c0", "R": ",pan=stereo|c0=0*c0|c1=c0"}
"""Filters that put a clip on one channel."""


def text_of(clip: str) -> str:
    return clip_named(clip).text


def make_video(
    path: Path, clips: list[str], *, pause_s: float = 1.2, rounds: int = 1, sides: str | None = None
) -> Path:
    """A 640 by 360 video on one dark colour, with the clips spoken one after the other, `rounds` times.

    `sides` puts each clip on one channel of stereo sound: `LR` for two clips, the first on the left.
    """
    once = path.with_suffix(".wav")
    _run(*_spoken(clips, path.parent, pause_s, sides), str(once))
    sound = ["-stream_loop", str(rounds - 1), "-i", str(once)]
    picture = ["-f", "lavfi", "-i", "color=c=0x203040:s=640x360:r=10"]
    coding = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-shortest"]
    _run(*sound, *picture, *coding, str(path))
    return path


def _spoken(clips: list[str], folder: Path, pause_s: float, sides: str | None) -> list[str]:
    """Arguments of ffmpeg that join the clips with a pause after each."""
    paths = {clip: str(synthesise(clip_named(clip), folder / f"{clip}.wav")) for clip in dict.fromkeys(clips)}
    inputs = [part for clip in clips for part in ("-i", paths[clip])]
    placed = [""] * len(clips) if sides is None else [_ON[side] for side in sides]
    padded = ";".join(f"[{i}:a]apad=pad_dur={pause_s},aresample=48000{placed[i]}[a{i}]" for i in range(len(clips)))
    joined = "".join(f"[a{i}]" for i in range(len(clips))) + f"concat=n={len(clips)}:v=0:a=1[a]"
    return [*inputs, "-filter_complex", f"{padded};{joined}", "-map", "[a]"]


def _run(*arguments: str) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *arguments], check=True)
