"""Does a tiny Whisper do what the tests rely on? `python -m serve.testing.tiny_models.training.accept --help`.

Runs the product's own path, faster-whisper in int8, over every clip alone, over fixed files of several clips and over
files without speech. Commit a rebuilt model only if it passes.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import wave
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import numpy as np
import numpy.typing as npt
from faster_whisper import BatchedInferencePipeline, WhisperModel

from serve.testing.tiny_models.archives import WHISPER, unpack
from serve.testing.tiny_models.clips import SAMPLE_RATE, Clip, load_clips, synthesise_all
from serve.testing.tiny_models.training.word_errors import word_error_rate

Samples = npt.NDArray[np.float32]

FILES_PER_LANGUAGE = 3
SEED = 4242
MAX_FILE_WER = 0.35
"""No file of several clips may be worse: at most one or two of its clips lost."""

MAX_MEAN_WER = 0.05
SILENT_SECONDS = 20
NO_SPEECH_PROBABILITY = 0.6
"""faster-whisper's own bound for calling a window silent."""


class Mode(StrEnum):
    """Ways of running faster-whisper that the product and its tests use."""

    PLAIN = "plain"
    VOICE_CUT = "plain, cut at pauses"
    BATCHED = "batched, word times"


@dataclass(frozen=True, slots=True)
class Answer:
    """The model's answer; `no_speech` is its probability of silence (1.0 without a segment)."""

    text: str
    lang: str
    no_speech: float
    words: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class SpokenFile:
    """Several clips of one language with pauses between them; `text` is all their text."""

    name: str
    lang: str
    text: str
    samples: Samples


class Listener:
    """A tiny model in int8 on the processor, with one thread."""

    def __init__(self, model: Path) -> None:
        self._plain = WhisperModel(str(model), device="cpu", compute_type="int8", cpu_threads=1)
        self._batched = BatchedInferencePipeline(self._plain)

    def hear(self, samples: Samples, mode: Mode = Mode.PLAIN, lang: str | None = None) -> Answer:
        """Transcribe a file; the language is detected unless given."""
        match mode:
            case Mode.BATCHED:
                found = self._batched.transcribe(
                    samples, language=lang, batch_size=8, beam_size=1, word_timestamps=True
                )
            case Mode.PLAIN | Mode.VOICE_CUT:
                found = self._plain.transcribe(
                    samples,
                    language=lang,
                    beam_size=1,
                    condition_on_previous_text=False,
                    vad_filter=mode is Mode.VOICE_CUT,
                )
        segments, about = list(found[0]), found[1]
        return Answer(
            text=" ".join(segment.text.strip() for segment in segments),
            lang=about.language,
            no_speech=min((segment.no_speech_prob for segment in segments), default=1.0),
            words=tuple(
                (word.word.strip(), word.start, word.end) for segment in segments for word in segment.words or ()
            ),
        )


def read_wav(path: Path) -> Samples:
    """A 16-bit mono file as float samples, -1 to 1."""
    with wave.open(str(path)) as recording:
        content = recording.readframes(recording.getnframes())
    return np.frombuffer(content, dtype="<i2").astype(np.float32) / np.float32(32768)


def spoken_files(
    paths: dict[str, Path], per_language: int = FILES_PER_LANGUAGE, seed: int = SEED
) -> Iterator[SpokenFile]:
    """The fixed files: in each language every sentence once, in a voice, order and pauses drawn from the seed."""
    chance = random.Random(seed)
    for lang in sorted({clip.lang for clip in load_clips()}):
        for number in range(1, per_language + 1):
            voices: dict[str, list[Clip]] = {}
            for clip in load_clips():
                if clip.lang == lang:
                    voices.setdefault(clip.text, []).append(clip)
            chosen = [chance.choice(clips) for clips in voices.values()]
            chance.shuffle(chosen)
            pauses = [chance.uniform(0.8, 2.5) for _ in chosen]
            samples = join([read_wav(paths[clip.id]) for clip in chosen], pauses)
            yield SpokenFile(f"{lang}{number}", lang, " ".join(clip.text for clip in chosen), samples)


def join(recordings: Sequence[Samples], pauses: Sequence[float]) -> Samples:
    """Recordings one after another, each followed by its pause in seconds, after half a second of silence."""
    parts = [np.zeros(SAMPLE_RATE // 2, np.float32)]
    for recording, pause in zip(recordings, pauses, strict=True):
        parts += [recording, np.zeros(int(pause * SAMPLE_RATE), np.float32)]
    return np.concatenate(parts)


def silent_files() -> dict[str, Samples]:
    """Files without speech, by name."""
    length = SILENT_SECONDS * SAMPLE_RATE
    noise = np.random.default_rng(99).standard_normal(length).astype(np.float32)
    turns = np.arange(length, dtype=np.float32) * np.float32(2 * np.pi * 440 / SAMPLE_RATE)
    return {"zeros": np.zeros(length, np.float32), "noise": noise * 0.003, "tone": np.sin(turns) * np.float32(0.1)}


def clip_faults(listener: Listener, paths: dict[str, Path]) -> list[str]:
    """A sentence for each of these clips that is not answered word for word, with punctuation, in its language."""
    faults = []
    for clip in (clip for clip in load_clips() if clip.id in paths):
        answer = listener.hear(read_wav(paths[clip.id]))
        if (answer.text, answer.lang) != (clip.text, clip.lang):
            faults.append(
                f"{clip.id}: recognized {answer.text!r} in {answer.lang}, wanted {clip.text!r} in {clip.lang}"
            )
    return faults


def file_error_rates(listener: Listener, files: Iterable[SpokenFile]) -> dict[Mode, dict[str, float]]:
    """Word error rate of each file in each mode; a wrong language counts as all words wrong."""
    rates: dict[Mode, dict[str, float]] = {mode: {} for mode in Mode}
    for file in files:
        for mode, of_mode in rates.items():
            answer = listener.hear(file.samples, mode)
            of_mode[file.name] = word_error_rate(file.text, answer.text) if answer.lang == file.lang else 1.0
    return rates


def silence_faults(listener: Listener) -> list[str]:
    """A sentence for each silent file in which the model finds speech."""
    faults = []
    for name, samples in silent_files().items():
        answer = listener.hear(samples)
        if answer.text and answer.no_speech < NO_SPEECH_PROBABILITY:
            faults.append(f"{name}: recognized {answer.text!r}, no-speech probability {answer.no_speech:.2f}")
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Accept or refuse a tiny Whisper.")
    parser.add_argument("--model", type=Path, help="unpacked model folder (default: the kept archive)")
    parser.add_argument("--files", type=int, default=FILES_PER_LANGUAGE, help="files of several clips a language")
    parser.add_argument("--seed", type=int, default=SEED, help="another seed draws other files of several clips")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="accept-") as work:
        model = chosen.model or unpack(WHISPER, Path(work))
        paths = synthesise_all(Path(work, "clips"))
        accepted = report(Listener(model), paths, spoken_files(paths, chosen.files, chosen.seed))
    sys.exit(0 if accepted else 1)


def report(listener: Listener, paths: dict[str, Path], files: Iterable[SpokenFile]) -> bool:
    """Print the figures and whether the model passes."""
    faults = clip_faults(listener, paths)
    lines = [f"clips exact: {len(paths) - len(faults)}/{len(paths)}", *faults]
    accepted = not faults
    for mode, rates in file_error_rates(listener, files).items():
        mean = sum(rates.values()) / len(rates)
        wrong = {name: round(rate, 2) for name, rate in rates.items() if rate}
        lines.append(f"{mode}: exact {len(rates) - len(wrong)}/{len(rates)}, mean WER {mean:.3f}, not exact {wrong}")
        accepted = accepted and mean <= MAX_MEAN_WER and max(rates.values()) <= MAX_FILE_WER
    silence = silence_faults(listener)
    accepted = accepted and not silence
    lines += [f"silent files with speech: {len(silence)}", *silence, "accepted" if accepted else "refused"]
    sys.stdout.write("\n".join(lines) + "\n")
    return accepted


if __name__ == "__main__":
    main()
