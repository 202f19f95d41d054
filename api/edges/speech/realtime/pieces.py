"""The sound of a session in pieces for the journal: from OpenAI's 24 kHz to ours, by FFmpeg's resampler."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import TYPE_CHECKING

from api.edges.speech.errors import BadCall
from api.edges.speech.realtime.schemas import RATE
from pipelines.media.sound.journal import PIECE_BYTES
from pipelines.media.sound.pcm import BYTES_PER_SAMPLE
from serve.tasks.transcription.messages import SAMPLE_RATE

if TYPE_CHECKING:
    from av import AudioFrame

NOT_BASE64 = "`audio` must be samples in base64: mono, signed 16-bit little-endian, 24 kHz."


def samples_of(audio: str) -> bytes:
    """Raises `BadCall`."""
    try:
        return base64.b64decode(audio, validate=True)
    except (binascii.Error, ValueError):
        raise BadCall.field("audio", NOT_BASE64) from None


class Pieces:
    """Give it samples as they come, and take whole pieces. What is no whole piece yet waits for more."""

    def __init__(self) -> None:
        self._odd = b""
        self._waiting = bytearray()
        self._resampler = _Resampler()

    @property
    def waiting_ms(self) -> int:
        """Sound that is no whole piece yet."""
        return len(self._waiting) * 1000 // (SAMPLE_RATE * BYTES_PER_SAMPLE)

    def add(self, pcm: bytes) -> None:
        """A sample may be in two messages."""
        pcm = self._odd + pcm
        whole = len(pcm) // BYTES_PER_SAMPLE * BYTES_PER_SAMPLE
        self._odd = pcm[whole:]
        if whole:
            self._waiting += self._resampler.add(pcm[:whole])

    def pause(self, silence_ms: int) -> None:
        """Let silence follow, and fill up the last piece: somebody waits for what was said."""
        self.flush()
        self._waiting += bytes(silence_ms * SAMPLE_RATE // 1000 * BYTES_PER_SAMPLE)
        self._waiting += bytes(-len(self._waiting) % PIECE_BYTES)

    def flush(self) -> None:
        """Nothing follows what has come."""
        self._waiting += self._resampler.finish()
        self._odd, self._resampler = b"", _Resampler()

    def whole(self) -> Iterator[bytes]:
        """Each whole piece. It goes on waiting unless the next one is asked for: keeping it may fail."""
        return self._from_front(PIECE_BYTES)

    def rest(self) -> Iterator[bytes]:
        """All that there is, in the same way; the last piece may be a shorter one."""
        self.flush()
        return self._from_front(1)

    def _from_front(self, least: int) -> Iterator[bytes]:
        while len(self._waiting) >= least:
            yield bytes(self._waiting[:PIECE_BYTES])
            del self._waiting[:PIECE_BYTES]


class _Resampler:
    """Of one stretch of sound. It holds back less than a millisecond."""

    def __init__(self) -> None:
        # Imported here: most web processes never have such a session, and FFmpeg's libraries take 30 MB.
        import av

        self._av = av
        self._resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE, frame_size=None)

    def add(self, pcm: bytes) -> bytes:
        frame = self._av.AudioFrame(format="s16", layout="mono", samples=len(pcm) // BYTES_PER_SAMPLE, align=1)
        frame.sample_rate = RATE
        frame.planes[0].update(pcm)
        return self._pcm(frame)

    def finish(self) -> bytes:
        return self._pcm(None)

    def _pcm(self, frame: AudioFrame | None) -> bytes:
        frames = self._resampler.resample(frame)
        return b"".join(bytes(each.planes[0])[: each.samples * BYTES_PER_SAMPLE] for each in frames)
