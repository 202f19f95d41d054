"""The audio to transcribe: 16 kHz mono 16-bit WAV, read piece by piece and never as a whole.

After its samples the WAV holds, in a chunk of our own that players skip, how likely each piece contains a voice. It is
computed once, while the sound is decoded, for every attempt to transcribe.
"""

from __future__ import annotations

import struct
import wave
from pathlib import Path
from typing import BinaryIO, Self

from serve.tasks.transcription.messages import SAMPLE_RATE

SAMPLES_PER_MS = SAMPLE_RATE // 1000
BYTES_PER_SAMPLE = 2

_VOICE = b"vox1"
_CHUNK = struct.Struct("<4sI")
_RIFF_SIZE_AT = 4
_LARGEST = 2**32 - 1


class NotTranscribable(ValueError):
    """The file is not a WAV in the form that we store for transcription."""


class PcmFile:
    """Random access by time to a stored WAV, by its path or opened. Use it as a context manager, in one thread."""

    def __init__(self, source: Path | BinaryIO) -> None:
        self._opened = source.open("rb") if isinstance(source, Path) else source
        try:
            self._wav = wave.open(self._opened, "rb")  # noqa: SIM115 - closed by __exit__
            self._require_form()
        except NotTranscribable:
            self._opened.close()
            raise
        except (wave.Error, EOFError) as error:
            self._opened.close()
            raise NotTranscribable(f"not a WAV file: {error}") from error

    def _require_form(self) -> None:
        form = (self._wav.getnchannels(), self._wav.getsampwidth(), self._wav.getframerate())
        if form != (1, BYTES_PER_SAMPLE, SAMPLE_RATE):
            raise NotTranscribable(f"channels, bytes and rate are {form}, not {(1, BYTES_PER_SAMPLE, SAMPLE_RATE)}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._wav.close()
        self._opened.close()

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
        """The bytes that `append_voice` put into the file, or None."""
        offset = 12
        while len(head := _seek(self._opened, offset).read(_CHUNK.size)) == _CHUNK.size:
            name, size = _CHUNK.unpack(head)
            if name == _VOICE:
                return self._opened.read(size)
            offset += _CHUNK.size + size + size % 2
        return None


def append_voice(path: Path, voice: bytes) -> None:
    """Put `voice` after the samples of a finished WAV. A file too long for a WAV's 4 GB stays without it."""
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


def _seek(opened: BinaryIO, offset: int) -> BinaryIO:
    opened.seek(offset)
    return opened
