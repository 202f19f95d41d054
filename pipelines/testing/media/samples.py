"""Small media files, made with flite and ffmpeg when the tests run."""

from __future__ import annotations

import subprocess
from pathlib import Path

TEXT = "Hello there. This is a short test of the sound."
FREQUENCY = 440
TEXT_FILE = b"Dear all, this is a letter and no video.\n" * 20


def ffmpeg(*arguments: str, cwd: Path) -> None:
    subprocess.run(
        ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *arguments], cwd=cwd, check=True, stdin=subprocess.DEVNULL
    )


def say(text: str, wav: Path) -> None:
    subprocess.run(["flite", "-voice", "rms", "-t", text, "-o", str(wav)], check=True)


PICTURE = ("-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2")
TONE = ("-f", "lavfi", "-i", f"sine={FREQUENCY}:r=44100:d=2")
H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")


def make_all(folder: Path) -> None:
    """Make every file that the media tests read, in about three seconds."""
    say(TEXT, folder / "speech.wav")
    ffmpeg(*PICTURE, "-i", "speech.wav", *H264, "-c:a", "aac", "speech.mp4", cwd=folder)
    ffmpeg(*PICTURE, *TONE, *H264, "-c:a", "aac", "plain.mp4", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-c:v", "mpeg4", "-c:a", "mp3", "old.avi", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-c", "copy", "screen.mkv", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-c", "copy", "stream.ts", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus", "web.webm", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-map", "0:a", "-c:a", "libmp3lame", "tone.mp3", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-map", "0:a", "-c", "copy", "tone.m4a", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-map", "0:a", "-c:a", "flac", "tone.flac", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-map", "0:a", "-c:a", "libopus", "tone.ogg", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-map", "0:a", "-c:a", "wmav2", "tone.wma", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-map", "0:v", "-c", "copy", "no_audio.mp4", cwd=folder)
    ffmpeg(
        *PICTURE, "-f", "lavfi", "-i", "anullsrc=r=44100:cl=mono:d=2", *H264, "-c:a", "aac", "silent.mp4", cwd=folder
    )
    ffmpeg(
        "-f", "lavfi", "-i", "testsrc2=s=321x181:r=25:d=1", *TONE, "-c:v", "ffv1", "-c:a", "flac", "odd.mkv", cwd=folder
    )
    ffmpeg("-i", "plain.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", "rotated.mov", cwd=folder)
    ffmpeg("-itsoffset", "2", "-i", "plain.mp4", "-c", "copy", "late.mp4", cwd=folder)
    ffmpeg("-i", "plain.mp4", "-itsoffset", "1", "-i", "plain.mp4", "-map", "0:v", "-map", "1:a", "-c", "copy",
           "late_sound.mp4", cwd=folder)  # fmt: skip
    (folder / "letter.mp4").write_bytes(TEXT_FILE)
    (folder / "empty.mp4").write_bytes(b"")
    # The index is at the end and gets lost.
    whole = (folder / "plain.mp4").read_bytes()
    (folder / "plain_cut.mp4").write_bytes(whole[: len(whole) * 6 // 10])
