"""The clips as training material: samples as recorded and after lossy codecs, with the time of every token."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from serve.testing.tiny_models.clips import SAMPLE_RATE, Clip, load_clips, synthesise_all
from serve.testing.tiny_models.training.speech_timing import spread_tokens, voiced_times

Samples = npt.NDArray[np.float32]

CODECS: tuple[tuple[str, ...], ...] = (
    ("m4a", "-c:a", "aac", "-b:a", "96k", "-ar", "48000"),
    ("mp3", "-c:a", "libmp3lame", "-b:a", "64k", "-ar", "44100"),
    ("webm", "-c:a", "libopus", "-b:a", "32k", "-ar", "48000"),
)
"""File ending and ffmpeg options of the codecs a clip may have gone through before it reaches the model."""

SILENT_LETTERS = " ,.?¿'"


@dataclass(frozen=True, slots=True)
class Voice:
    """A clip ready to be placed in a training window. All times are seconds from the clip's first sample.

    `takes` are equally long recordings of it (as spoken, then one per codec). `first_class` is the frame class of its
    first token; the next tokens follow. Clips with the same text share their classes.
    """

    clip: Clip
    takes: tuple[Samples, ...]
    tokens: tuple[int, ...]
    token_times: tuple[float, ...]
    start: float
    end: float
    first_class: int

    @property
    def duration(self) -> float:
        return len(self.takes[0]) / SAMPLE_RATE

    @property
    def token_spans(self) -> list[tuple[float, float, int]]:
        """Start, end and frame class of each token; together they cover the speech without holes."""
        middles = self.token_times
        edges = [self.start, *((a + b) / 2 for a, b in pairwise(middles)), self.end]
        return [(edges[index], edges[index + 1], self.first_class + index) for index in range(len(middles))]


def load_voices(tokenizer: Tokenizer, folder: Path) -> tuple[list[Voice], int]:
    """Synthesise every clip into `folder` and time its tokens. Returns the voices and the number of frame classes
    (class 0 is silence)."""
    voices: list[Voice] = []
    class_of_text: dict[str, int] = {}
    next_class = 1
    paths = synthesise_all(folder)
    for clip in load_clips():
        tokens = tokenizer.encode(f" {clip.text}", add_special_tokens=False).ids
        if clip.text not in class_of_text:
            class_of_text[clip.text] = next_class
            next_class += len(tokens)
        voices.append(_time_clip(clip, tokens, tokenizer, paths[clip.id], class_of_text[clip.text]))
    return voices, next_class


def _time_clip(clip: Clip, tokens: list[int], tokenizer: Tokenizer, path: Path, first_class: int) -> Voice:
    spoken = _read(path)
    voiced = voiced_times(spoken)
    lengths = [max(1, len(tokenizer.decode([token]).strip(SILENT_LETTERS))) for token in tokens]
    times = spread_tokens(lengths, voiced)
    takes = (spoken, *(_through_codec(path, codec, len(spoken)) for codec in CODECS))
    return Voice(
        clip=clip,
        takes=takes,
        tokens=tuple(tokens),
        token_times=tuple(float(time) for time in times),
        start=float(voiced[0]),
        end=float(voiced[-1]),
        first_class=first_class,
    )


def _through_codec(path: Path, codec: tuple[str, ...], length: int) -> Samples:
    """The clip after encoding and decoding, cut or padded to `length` samples."""
    ending, *options = codec
    encoded = path.with_suffix(f".{ending}")
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", str(path), *options, str(encoded)], check=True)
    samples = _read(encoded)[:length]
    return np.pad(samples, (0, length - len(samples)))


def _read(path: Path) -> Samples:
    """Any audio file as mono float samples at 16 kHz, -1 to 1."""
    command = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-ac", "1", "-ar", str(SAMPLE_RATE)]
    decoded = subprocess.run([*command, "-f", "f32le", "-"], check=True, capture_output=True).stdout
    return np.frombuffer(decoded, dtype=np.float32)
