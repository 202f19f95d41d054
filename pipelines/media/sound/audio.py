"""Decodes the sound of a file, into the WAV to transcribe, its voices, what the editor draws, and channel levels."""

from __future__ import annotations

import wave
from collections.abc import Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cluster.limited_process.process import Stopped
from cluster.wording.message import Message, Wording
from pipelines.media.ffmpeg import REASONS, mono_mix, source, stream
from pipelines.media.limits import MAX_DURATION_MS, max_output_bytes, preprocess_limits
from pipelines.media.probe import DAMAGED, TOO_LONG, MediaFacts
from pipelines.media.sound.channel_levels import MAX_CHANNELS, LevelCollector, Levels
from pipelines.media.sound.pcm import append_voice
from pipelines.media.sound.spectrogram import SpectrogramWriter
from pipelines.media.sound.speech import speech_marks
from pipelines.media.sound.voice import VoiceFinder
from pipelines.media.sound.waveform import PeakCollector, write_peaks
from pipelines.messages.attempt import StageFailed
from serve.tasks.transcription.messages import SAMPLE_RATE

STAGE = "decode"
SAMPLE_BYTES = 2
ENDS_EARLY = Wording(
    "pipelines.media.ends_early", "The file is cut off: its sound ends {seconds} s before the end that the file names."
)
_MISSING_MS = 2_000

UNDECODABLE = Message(
    "pipelines.media.audio_undecodable",
    "The sound in this file cannot be decoded. Convert it to MP4, MP3 or WAV and upload it again.",
)


@dataclass(slots=True)
class DecodedAudio:
    """The outcome of `decode`, set when it ends."""

    duration_ms: int = 0
    levels: Levels | None = None
    """How loud each channel is; None for sound with one channel or with too many."""
    warnings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Drawings:
    """Where to write what the editor draws: the waveform with its marks of speech, and the spectrogram."""

    peaks: Path
    spectrogram: Path


def decode(
    path: Path, facts: MediaFacts, *, wav: Path, drawings: Drawings | None = None, into: DecodedAudio
) -> Generator[int, None, None]:
    """Write `wav` (16 kHz mono 16-bit, with its voices) and the drawings, yielding the milliseconds done.

    The outcome goes into `into`. Silence precedes sound that starts after the viewers' time 0 and fills gaps, so a time
    in the WAV is the time in the video. The sound is streamed: memory does not grow with its length.
    """
    assert facts.audio is not None
    # Stereo comes as it is: both channels cost ffmpeg no more than their mix.
    channels = 2 if facts.audio.channels == 2 else 1
    stereo = LevelCollector(channels) if channels == 2 else None
    arguments = _arguments(path, facts, mono_mix(facts.audio.channels), ("-ac", str(channels)))
    complaints: list[str] = []
    collector, voices = PeakCollector(), VoiceFinder()
    longest = (MAX_DURATION_MS + 60_000) * SAMPLE_RATE // 1000
    # Gaps between time stamps are filled: a file of a few bytes that states a short length must not produce hours.
    most = max_output_bytes(facts.duration_ms, facts.size_bytes) // SAMPLE_BYTES
    samples = 0
    rest = b""
    blocks = stream(
        STAGE, arguments, limits=preprocess_limits(facts.duration_ms), failure=UNDECODABLE, warnings=complaints
    )
    with closing(blocks), wave.open(str(wav), "wb") as out, ExitStack() as opened:
        spectrogram = (
            opened.enter_context(SpectrogramWriter(drawings.spectrogram.open("wb"))) if drawings is not None else None
        )
        out.setparams((1, SAMPLE_BYTES, SAMPLE_RATE, 0, "NONE", ""))
        for block in blocks:
            pcm = rest + block
            whole = len(pcm) // (SAMPLE_BYTES * channels) * SAMPLE_BYTES * channels
            pcm, rest = pcm[:whole], pcm[whole:]
            if stereo is not None:
                stereo.add(pcm)
                pcm = _mono_of_stereo(pcm)
            out.writeframesraw(pcm)
            if spectrogram is not None:
                collector.add(pcm)
                spectrogram.add(pcm)
            voices.add(pcm)
            samples += len(pcm) // SAMPLE_BYTES
            if samples > longest:
                raise StageFailed(STAGE, TOO_LONG, retryable=False)
            if samples > most:
                raise StageFailed(STAGE, REASONS[Stopped.FILE], retryable=False)
            yield samples * 1000 // SAMPLE_RATE
    if samples == 0:
        raise StageFailed(STAGE, DAMAGED if complaints else UNDECODABLE, retryable=False)
    voice = voices.finish()
    append_voice(wav, voice)
    if drawings is not None:
        write_peaks(collector.finish(), speech_marks(voice), drawings.peaks)
    into.duration_ms = samples * 1000 // SAMPLE_RATE
    into.levels = stereo.finish() if stereo is not None else _levels_of_many(path, facts)
    missing_ms = facts.duration_ms - into.duration_ms
    if complaints and missing_ms > _MISSING_MS:
        into.warnings.append(ENDS_EARLY(seconds=missing_ms // 1000))


def _levels_of_many(path: Path, facts: MediaFacts) -> Levels | None:
    """The levels of more channels than two, which ffmpeg alone knows how to mix: decoded once more, as they are."""
    assert facts.audio is not None
    channels = facts.audio.channels
    if not 2 < channels <= MAX_CHANNELS:
        return None
    levels = LevelCollector(channels)
    arguments = _arguments(path, facts, "", ())
    for block in stream(STAGE, arguments, limits=preprocess_limits(facts.duration_ms), failure=UNDECODABLE):
        levels.add(block)
    return levels.finish()


def _arguments(path: Path, facts: MediaFacts, mix: str, form: tuple[str, ...]) -> list[str]:
    assert facts.audio is not None
    return [
        *source(path, offset_ms=facts.clock_offset_ms),
        *("-map", f"0:{facts.audio.index}", "-vn", "-sn", "-dn"),
        *("-af", f"{mix}aresample=async=1:first_pts=0", *form, "-ar", str(SAMPLE_RATE)),
        # Without it ffmpeg writes each packet of 20 ms by itself, which costs a third of the decoding.
        *("-flush_packets", "0", "-f", "s16le", "pipe:1"),
    ]


def _mono_of_stereo(pcm: bytes) -> bytes:
    """Both channels of interleaved signed 16-bit samples at equal levels, as ffmpeg mixes them."""
    both = np.frombuffer(pcm, "<i2").reshape(-1, 2)
    left, right = both[:, 0], both[:, 1]
    # (left + right + 1) / 2 without a wider type, which would take four times as long.
    mixed = (left >> 1) + (right >> 1) + ((left | right) & 1)
    return bytes(mixed.tobytes())
