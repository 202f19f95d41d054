"""The audio a file is transcribed from: 16 kHz mono 16-bit WAV, read piece by piece and never as a whole.

Behind its samples the WAV carries, in a chunk of our own that players skip, how likely each piece of it holds a voice:
found once, while the sound is decoded, it is there for every attempt to transcribe.
"""

from __future__ import annotations

import struct
import wave
from pathlib import Path
from typing import BinaryIO, Self

from serve.messages import SAMPLE_RATE

SAMPLES_PER_MS = SAMPLE_RATE // 1000
BYTES_PER_SAMPLE = 2

_VOICE = b"vox1"
_CHUNK = struct.Struct("<4sI")
_RIFF_SIZE_AT = 4
_LARGEST = 2**32 - 1


class NotTranscribable(ValueError):
    """The file is no WAV of the one form that is stored for transcription."""


class PcmFile:
    """Random access by time to a stored WAV. Use as a context manager; not for several threads."""

    def __init__(self, path: Path) -> None:
        try:
            self._wav = wave.open(str(path), "rb")  # noqa: SIM115 - closed by __exit__
        except (wave.Error, EOFError) as error:
            raise NotTranscribable(f"not a WAV file: {error}") from error
        form = (self._wav.getnchannels(), self._wav.getsampwidth(), self._wav.getframerate())
        if form != (1, BYTES_PER_SAMPLE, SAMPLE_RATE):
            self._wav.close()
            raise NotTranscribable(f"channels, bytes and rate are {form}, not {(1, BYTES_PER_SAMPLE, SAMPLE_RATE)}")
        self._path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wav.close()

    @property
    def samples(self) -> int:
        return self._wav.getnframes()

    @property
    def duration_ms(self) -> int:
        return self.samples // SAMPLES_PER_MS

    def read_samples(self, start: int, count: int) -> bytes:
        """At most `count` samples from `start` on, as mono signed 16-bit little-endian; fewer at the end."""
        self._wav.setpos(min(start, self.samples))
        return self._wav.readframes(count)

    def read(self, start_ms: int, end_ms: int) -> bytes:
        """The samples from `start_ms` up to `end_ms`."""
        return self.read_samples(start_ms * SAMPLES_PER_MS, (end_ms - start_ms) * SAMPLES_PER_MS)

    def voice(self) -> bytes | None:
        """What `append_voice` put into the file, or None."""
        with self._path.open("rb") as opened:
            place = 12
            while len(head := _seek(opened, place).read(_CHUNK.size)) == _CHUNK.size:
                name, size = _CHUNK.unpack(head)
                if name == _VOICE:
                    return opened.read(size)
                place += _CHUNK.size + size + size % 2
        return None


def append_voice(path: Path, voice: bytes) -> None:
    """Put `voice` behind the samples of a finished WAV. A file too long for a WAV's 4 GB stays without."""
    chunk = _CHUNK.pack(_VOICE, len(voice)) + voice + bytes(len(voice) % 2)
    with path.open("r+b") as opened:
        end = opened.seek(0, 2)
        if end % 2:
            opened.write(b"\0")
            end += 1
        if end + len(chunk) - _CHUNK.size > _LARGEST:
            return
        opened.write(chunk)
        _seek(opened, _RIFF_SIZE_AT).write(struct.pack("<I", end + len(chunk) - _CHUNK.size))


def _seek(opened: BinaryIO, place: int) -> BinaryIO:
    opened.seek(place)
    return opened
