"""Speech as people upload it, in stereo AAC at 44.1 kHz; an hour is made fast."""

from __future__ import annotations

import subprocess
import wave
from itertools import cycle
from pathlib import Path

from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.tiny_models.clips import load_clips, synthesise_all

BLOCK_S = 300
PAUSES_S = (0.3, 0.5, 0.9, 0.4)
HISS = "anoisesrc=color=brown:amplitude=0.01:sample_rate=44100:seed=1"
"""A room is never quite silent, and silence would be cheaper to decode."""


def spoken(folder: Path, seconds: int) -> Path:
    """Sentences in sequence for this long, over faint noise."""
    folder.mkdir(parents=True, exist_ok=True)
    made, block = folder / f"{seconds}.m4a", folder / "block.m4a"
    if not block.exists():
        _speak(folder / "block.wav", folder / "clips")
        both = "[0]aresample=44100,aformat=channel_layouts=stereo[a];[1]aformat=channel_layouts=stereo[b]"
        mixed = f"{both};[a][b]amix=duration=first"
        _ffmpeg("-i", folder / "block.wav", "-f", "lavfi", "-i", HISS, "-filter_complex", mixed, "-b:a", "128k", block)
    if not made.exists():
        _ffmpeg("-stream_loop", str(seconds // BLOCK_S), "-i", block, "-c", "copy", "-t", str(seconds), made)
    return made


def _speak(made: Path, folder: Path) -> None:
    paths = synthesise_all(folder)
    with wave.open(str(made), "wb") as out:
        out.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        for clip, pause in zip(cycle(load_clips()), cycle(PAUSES_S), strict=False):
            with wave.open(str(paths[clip.id])) as said:
                out.writeframes(said.readframes(said.getnframes()))
            out.writeframes(bytes(2 * int(pause * SAMPLE_RATE)))
            if out.tell() >= BLOCK_S * SAMPLE_RATE:
                return


def _ffmpeg(*arguments: str | Path) -> None:
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, arguments)], check=True)
