"""Checks and decodes the audio of a dataset, and looks at whether its references can be right."""

from __future__ import annotations

import shutil
import wave
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure.datasets.folder import AudioItem, BadDataset, Dataset
from benchmarks.measure.progress import progress
from pipelines.media.probe import probe
from pipelines.media.sound.audio import DecodedAudio, decode
from pipelines.media.sound.channel_levels import channels_differ, write_levels
from pipelines.media.sound.pcm import PcmFile, append_voice
from pipelines.media.sound.voice import VoiceFinder
from pipelines.messages.attempt import StageFailed
from serve.core.text.words import is_unspaced
from serve.tasks.transcription.messages import SAMPLE_RATE

FASTEST_CHARS_PER_S = 35
"""Nobody says more letters a second; auctioneers come to 30."""
SLOWEST_CHARS_PER_S = 0.5
_LATE_MS = 500
_SHOWN = 3
NO_SOUND = "It has no sound."
CHANNELS = "channels.npy"


@dataclass(frozen=True, slots=True)
class Sound:
    """An item and its sound as the product stores it: 16 kHz, mono, 16-bit, with its voices found.

    `channels` is how loud each channel is over time, for whole files in which that differs.
    """

    item: AudioItem
    wav: Path
    duration_ms: int
    channels: Path | None = None


@dataclass(frozen=True, slots=True)
class Sounds:
    """`notes` are the dataset's, and what decoding showed."""

    sounds: tuple[Sound, ...]
    notes: tuple[str, ...]

    @property
    def seconds(self) -> float:
        return sum(sound.duration_ms for sound in self.sounds) / 1000


def decode_all(dataset: Dataset, work: Path) -> Sounds:
    """Decode every file once, as an upload is, and cut the items out of it.

    What cannot be decoded is left out and named in the notes. Raises BadDataset when nothing is left.
    """
    notes = list(dataset.notes)
    sounds: list[Sound] = []
    by_file: dict[Path, list[AudioItem]] = {}
    for item in dataset.items:
        by_file.setdefault(item.audio, []).append(item)
    shutil.rmtree(work / "sound", ignore_errors=True)
    with progress("Decoding", len(by_file)) as advance:
        for number, (audio, items) in enumerate(by_file.items()):
            folder = work / "sound" / str(number)
            folder.mkdir(parents=True)
            try:
                sounds += _cut(_decoded(audio, folder), items, folder, notes)
            except StageFailed as problem:
                named = audio.relative_to(dataset.folder)
                notes.append(f"{named} was left out with {len(items)} references: {problem.reason}")
            advance(audio.name)
    if not sounds:
        raise BadDataset(" ".join(["No audio can be decoded.", *notes]))
    notes += _doubts(sounds)
    return Sounds(tuple(sounds), tuple(notes))


def _decoded(audio: Path, folder: Path) -> Path:
    facts = probe(audio)
    if facts.audio is None:
        raise StageFailed("probe", NO_SOUND, retryable=False)
    wav = folder / "whole.wav"
    decoded = DecodedAudio()
    for _ in decode(audio, facts, wav=wav, into=decoded):
        pass
    if decoded.levels is not None and channels_differ(decoded.levels):
        write_levels(decoded.levels, folder / CHANNELS)
    return wav


def _cut(whole: Path, items: Sequence[AudioItem], folder: Path, notes: list[str]) -> Iterator[Sound]:
    with PcmFile(whole) as sound:
        for number, item in enumerate(items):
            if item.start_ms is None and item.end_ms is None:
                levels = folder / CHANNELS
                yield Sound(item, whole, sound.duration_ms, levels if levels.exists() else None)
                continue
            start, end = item.start_ms or 0, item.end_ms if item.end_ms is not None else sound.duration_ms
            if start >= sound.duration_ms:
                notes.append(f"{item.id} was left out: the audio ends at {sound.duration_ms / 1000:.1f} s, before it.")
                continue
            if end > sound.duration_ms + _LATE_MS:
                notes.append(f"{item.id} ends {(end - sound.duration_ms) / 1000:.1f} s after its audio.")
            pcm = sound.read(start, min(end, sound.duration_ms))
            yield Sound(item, write_sound(folder / f"{number}.wav", pcm), len(pcm) // 2 * 1000 // SAMPLE_RATE)


def write_sound(path: Path, pcm: bytes) -> Path:
    """A WAV as an upload's decoding leaves it. `pcm` is mono signed 16-bit little-endian at 16 kHz."""
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        out.writeframes(pcm)
    voices = VoiceFinder()
    voices.add(pcm)
    append_voice(path, voices.finish())
    return path


def _doubts(sounds: Sequence[Sound]) -> Iterator[str]:
    """Sentences on references that do not fit their audio."""
    kinds: dict[str, list[str]] = {}
    for sound in sounds:
        for doubt in _doubts_of(sound):
            kinds.setdefault(doubt, []).append(sound.item.id)
    for doubt, names in kinds.items():
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        yield f"Doubtful: {', '.join(names[:_SHOWN])}{more}: {doubt}."


def _doubts_of(sound: Sound) -> Iterator[str]:
    item = sound.item
    last = max((*(line.end_ms for line in item.lines), *(turn.end_ms for turn in item.turns), 0))
    if last > sound.duration_ms + _LATE_MS:
        yield "the reference goes on after the end of the audio"
    if item.text is None:
        return
    letters = sum(not letter.isspace() for letter in item.text)
    speed = 1000 * letters / max(1, sound.duration_ms)
    # A character of Chinese is a syllable.
    fastest = FASTEST_CHARS_PER_S / 3 if is_unspaced(item.text) else FASTEST_CHARS_PER_S
    if speed > fastest:
        yield "more text than anybody can say in that time; does it belong to this audio"
    elif 0 < speed < SLOWEST_CHARS_PER_S and sound.duration_ms > 10_000:
        yield "little text for that much audio; is all of it transcribed"
