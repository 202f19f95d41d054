"""One small intact file of each form that people send, bit for bit the same each time."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pipelines.media.ffmpeg import find_ffmpeg

_PICTURE = ("-f", "lavfi", "-i", "testsrc2=s=64x36:r=12:d=1.5")
_SOUND = ("-f", "lavfi", "-i", "sine=440:r=16000:d=1.5")
_BOTH = (*_PICTURE, *_SOUND)
_H264 = ("-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-g", "6", "-threads", "1")

SEEDS: dict[str, tuple[str, ...]] = {
    "mp4": (*_BOTH, *_H264, "-c:a", "aac", "-movflags", "+faststart"),
    "mov": (*_BOTH, "-c:v", "mjpeg", "-q:v", "20", "-c:a", "pcm_s16le"),
    "mkv": (*_BOTH, *_H264, "-c:a", "libvorbis"),
    "webm": (*_BOTH, "-c:v", "libvpx-vp9", "-deadline", "realtime", "-threads", "1", "-c:a", "libopus"),
    "mp3": (*_SOUND, "-c:a", "libmp3lame", "-b:a", "32k"),
    "flac": (*_SOUND, "-c:a", "flac"),
    "ogg": (*_SOUND, "-c:a", "libopus", "-b:a", "32k"),
    "wav": (*_SOUND, "-c:a", "pcm_s16le"),
    "avi": (*_BOTH, "-c:v", "mpeg4", "-q:v", "12", "-c:a", "libmp3lame", "-ar", "16000"),
}
"""Arguments of ffmpeg by file extension."""


def make_seeds(folder: Path) -> dict[str, bytes]:
    """The bytes of each seed, by form."""
    for form, arguments in SEEDS.items():
        command = [find_ffmpeg(), "-nostdin", "-loglevel", "error", "-y", *arguments]
        exact = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"]
        subprocess.run([*command, *exact, f"seed.{form}"], cwd=folder, check=True, stdin=subprocess.DEVNULL)
    return {form: (folder / f"seed.{form}").read_bytes() for form in SEEDS}
