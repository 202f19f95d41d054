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
    """Make every file that the media tests read. A start of ffmpeg takes 0.1 s, so each makes several of them."""
    say(TEXT, folder / "speech.wav")
    silence = ("-f", "lavfi", "-i", "anullsrc=r=44100:cl=mono:d=2")
    odd = ("-f", "lavfi", "-i", "testsrc2=s=321x181:r=25:d=1")
    films = (
        ("-map", "0", "-map", "1", *H264, "-c:a", "aac", "speech.mp4"),
        ("-map", "0", "-map", "2", *H264, "-c:a", "aac", "plain.mp4"),
        ("-map", "0", "-map", "3", *H264, "-c:a", "aac", "silent.mp4"),
        ("-map", "4", "-map", "2", "-c:v", "ffv1", "-c:a", "flac", "odd.mkv"),
    )
    sources = (*PICTURE, "-i", "speech.wav", *TONE, *silence, *odd)
    ffmpeg(*sources, *(part for film in films for part in film), cwd=folder)
    of_plain = (
        ("-map", "0", "-c:v", "mpeg4", "-c:a", "mp3", "old.avi"),
        ("-map", "0", "-c", "copy", "screen.mkv"),
        ("-map", "0", "-c", "copy", "stream.ts"),
        # The threads of libvpx wait busily for each other: two take eight times the processor time of one.
        ("-map", "0", "-c:v", "libvpx", "-deadline", "realtime", "-threads", "1", "-c:a", "libopus", "web.webm"),
        ("-map", "0:a", "-c:a", "libmp3lame", "tone.mp3"),
        ("-map", "0:a", "-c", "copy", "tone.m4a"),
        ("-map", "0:a", "-c:a", "flac", "tone.flac"),
        ("-map", "0:a", "-c:a", "libopus", "tone.ogg"),
        ("-map", "0:a", "-c:a", "wmav2", "tone.wma"),
        ("-map", "0:v", "-c", "copy", "no_audio.mp4"),
        ("-map", "0", "-c", "copy", "-metadata:s:v", "rotate=90", "rotated.mov"),
        ("-map", "1", "-c", "copy", "late.mp4"),
        ("-map", "0:v", "-map", "2:a", "-c", "copy", "late_sound.mp4"),
    )
    late = ("-itsoffset", "2", "-i", "plain.mp4", "-itsoffset", "1", "-i", "plain.mp4")
    ffmpeg("-i", "plain.mp4", *late, *(part for file in of_plain for part in file), cwd=folder)
    (folder / "letter.mp4").write_bytes(TEXT_FILE)
    (folder / "empty.mp4").write_bytes(b"")
    # The index is at the end and gets lost.
    whole = (folder / "plain.mp4").read_bytes()
    (folder / "plain_cut.mp4").write_bytes(whole[: len(whole) * 6 // 10])
