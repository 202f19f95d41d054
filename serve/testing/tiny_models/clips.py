"""The phrase book of the tiny speech model: its sentences, and the voice of each.

No recording is stored: `flite` and `espeak-ng` speak the sentences of `clips.tsv`, and `ffmpeg` brings them to the
model's sample rate. The same versions of these programs give the same bytes every time.
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

SAMPLE_RATE = 16_000
"""Samples per second of every synthesised clip."""

ESPEAK_WORDS_PER_MINUTE = 150
"""Slower than espeak-ng's default of 175, so that words keep their pauses."""

CLIPS_FILE = Path(__file__).with_name("clips.tsv")


class SpeechEngine(StrEnum):
    """Programs that speak clips."""

    FLITE = "flite"
    ESPEAK_NG = "espeak-ng"


class SynthesisFailed(RuntimeError):
    """A program needed to speak a clip is missing or failed; the message names it and quotes its output."""


@dataclass(frozen=True, slots=True)
class Clip:
    """One sentence in one voice. `lang` is a Whisper code; `text` is exactly what the model must answer."""

    id: str
    lang: str
    engine: SpeechEngine
    voice: str
    text: str


@cache
def load_clips() -> tuple[Clip, ...]:
    """All clips, in the order of `clips.tsv`."""
    with CLIPS_FILE.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(
            Clip(
                row["id"],
                row["lang"],
                SpeechEngine(row["engine"]),
                row["voice"],
                row["text"],
            )
            for row in rows
        )


def clip_named(clip_id: str) -> Clip:
    """The clip with this id. Raises KeyError when there is none."""
    for clip in load_clips():
        if clip.id == clip_id:
            return clip
    raise KeyError(clip_id)


def one_voice_each(lang: str) -> tuple[Clip, ...]:
    """The first clip of every sentence of a language: its texts, none twice."""
    first: dict[str, Clip] = {}
    for clip in load_clips():
        if clip.lang == lang:
            first.setdefault(clip.text, clip)
    return tuple(first.values())


def missing_programs() -> tuple[str, ...]:
    """Missing programs among those that speak clips."""
    return tuple(program for program in (*SpeechEngine, "ffmpeg") if shutil.which(program) is None)


def synthesise(clip: Clip, path: Path) -> Path:
    """Speak a clip into `path`: WAV, mono, 16-bit, 16 kHz. Returns `path`. Raises SynthesisFailed."""
    _speak({path: clip})
    return path


def synthesise_all(folder: Path, clips: Iterable[Clip] | None = None) -> dict[str, Path]:
    """Speak clips (all when none are given) into `folder/<id>.wav`, skipping those already there. Paths by clip id."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = {clip.id: folder / f"{clip.id}.wav" for clip in clips or load_clips()}
    _speak({path: clip_named(clip_id) for clip_id, path in paths.items() if not path.exists()})
    return paths


def _speak(clips: Mapping[Path, Clip]) -> None:
    """Speak each clip into its path. One ffmpeg converts them all: a start takes 0.1 s of processor time."""
    exact = ["-map_metadata", "-1", "-flags:a", "+bitexact", "-fflags", "+bitexact"]
    mono = ["-ac", "1", "-ar", str(SAMPLE_RATE), "-c:a", "pcm_s16le"]
    inputs, outputs = [], []
    with tempfile.TemporaryDirectory(prefix="clip-") as folder:
        for number, (path, clip) in enumerate(clips.items()):
            if clip.voice not in _voices(clip.engine):
                raise SynthesisFailed(
                    f"{clip.engine} has no voice {clip.voice}. Install the full package of {clip.engine}."
                )
            spoken = Path(folder, f"{number}.wav")
            _run(_speak_command(clip, spoken))
            inputs += ["-i", str(spoken)]
            outputs += ["-map", str(number), *mono, *exact, str(path)]
        if clips:
            _run(["ffmpeg", "-nostdin", "-v", "error", "-y", *inputs, *outputs])


def _speak_command(clip: Clip, path: Path) -> list[str]:
    match clip.engine:
        case SpeechEngine.FLITE:
            return ["flite", "-voice", clip.voice, "-t", clip.text, "-o", str(path)]
        case SpeechEngine.ESPEAK_NG:
            return [
                "espeak-ng",
                "-v",
                clip.voice,
                "-s",
                str(ESPEAK_WORDS_PER_MINUTE),
                "-w",
                str(path),
                clip.text,
            ]


@cache
def _voices(engine: SpeechEngine) -> frozenset[str]:
    """The voices of `clips.tsv` that a program has. We check first, because both programs speak an unknown voice with
    their default one and report success."""
    wanted = frozenset(clip.voice for clip in load_clips() if clip.engine is engine)
    match engine:
        case SpeechEngine.FLITE:
            known = frozenset(_run(["flite", "-lv"]).split())
            return wanted & known
        case SpeechEngine.ESPEAK_NG:
            languages = frozenset(line.split()[1] for line in _run(["espeak-ng", "--voices"]).splitlines())
            files = _run(["espeak-ng", "--voices=variant"]).split()
            variants = frozenset(file.removeprefix("!v/") for file in files)
            return frozenset(voice for voice in wanted if _is_spoken(voice, languages, variants))


def _is_spoken(voice: str, languages: frozenset[str], variants: frozenset[str]) -> bool:
    """Whether espeak-ng knows a voice such as `en-gb` or `en-gb+f3`."""
    language, _, variant = voice.partition("+")
    return language in languages and (not variant or variant in variants)


def _run(command: list[str]) -> str:
    """The output of a command. Raises SynthesisFailed."""
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError as missing:
        raise SynthesisFailed(f"The program {command[0]} is not installed. Install it and try again.") from missing
    except subprocess.CalledProcessError as failure:
        raise SynthesisFailed(f"{command[0]} failed: {failure.stderr.strip()}") from failure
