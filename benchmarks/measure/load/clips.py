"""What callers send: pieces of sound of at most 30 s, from any folder of audio."""

from __future__ import annotations

import io
import wave
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.measure.datasets.folder import AUDIO
from serve.tasks.transcription.messages import MAX_WINDOW_MS, SAMPLE_RATE, AudioWindow, DecodeOptions
from serve.testing.sound import short_clips, spoken_clips

SHORTEST_S = 0.5
"""What is left of a file after its last whole piece is not worth a request below this."""


class NoAudio(ValueError):
    """The folder holds no sound that can be sent; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Clip:
    """`pcm` is mono signed 16-bit little-endian at 16 kHz, at most 30 s."""

    name: str
    pcm: bytes

    @property
    def seconds(self) -> float:
        return len(self.pcm) / 2 / SAMPLE_RATE

    def window(self, stream: str, options: DecodeOptions) -> AudioWindow:
        """The clip as the only window of a file."""
        return AudioWindow(stream, 0, 0, self.pcm, options)

    def wav(self) -> bytes:
        buffer = io.BytesIO()
        with wave.open(buffer, "wb") as writer:
            writer.setnchannels(1)
            writer.setsampwidth(2)
            writer.setframerate(SAMPLE_RATE)
            writer.writeframes(self.pcm)
        return buffer.getvalue()


def clips_of(audio: Path | None, work: Path, *, longest_s: float, count: int = 32) -> list[Clip]:
    """Pieces of all files in the folder `audio`; without one, sentences of 3 to 8 s spoken into `work`.

    Raises NoAudio.
    """
    if audio is not None:
        return folder_clips(audio, longest_s=longest_s)
    spoken = short_clips(spoken_clips(work), count, seconds=(min(3.0, longest_s), min(8.0, longest_s)))
    return [Clip(f"spoken-{index}", samples.tobytes()) for index, samples in enumerate(spoken)]


def folder_clips(folder: Path, *, longest_s: float = MAX_WINDOW_MS / 1000) -> list[Clip]:
    """Pieces of `longest_s` of every sound below the folder, in order of their names. Raises NoAudio."""
    if not folder.is_dir():
        raise NoAudio(f"There is no folder {folder}.")
    paths = sorted(path for path in folder.rglob("*") if path.suffix.lower() in AUDIO)
    if not paths:
        raise NoAudio(f"{folder} holds no audio. Files must end in {', '.join(sorted(AUDIO))}.")
    clips = [clip for path in paths for clip in _pieces(path, folder, min(longest_s, MAX_WINDOW_MS / 1000))]
    if not clips:
        raise NoAudio(f"No file in {folder} is longer than {SHORTEST_S:g} s.")
    return clips


def of_length(clips: Sequence[Clip], seconds: float, count: int) -> list[Clip]:
    """`count` clips of exactly this length, cut one after the other from all of them in turn."""
    size = round(seconds * SAMPLE_RATE) * 2
    sound = b"".join(clip.pcm for clip in clips)
    if not sound:
        raise NoAudio("There is no sound to cut.")
    sound *= -(-size * count // len(sound))
    return [Clip(f"{seconds:g}s-{index}", sound[index * size : (index + 1) * size]) for index in range(count)]


def _pieces(path: Path, folder: Path, longest_s: float) -> Iterator[Clip]:
    from faster_whisper.audio import decode_audio

    try:
        wave_form = decode_audio(str(path), sampling_rate=SAMPLE_RATE)
    except Exception as broken:
        # PyAV raises many unrelated errors for files that are not sound.
        raise NoAudio(f"{path} cannot be read as sound ({broken}). Repair it or take it out.") from broken
    samples = np.clip(wave_form * 32768.0, -32_768, 32_767).astype("<i2")
    size = round(longest_s * SAMPLE_RATE)
    name = str(path.relative_to(folder))
    for index, start in enumerate(range(0, len(samples), size)):
        piece = samples[start : start + size]
        if len(piece) >= SHORTEST_S * SAMPLE_RATE:
            yield Clip(f"{name}#{index}", piece.tobytes())
