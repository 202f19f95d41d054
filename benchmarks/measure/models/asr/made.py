"""A folder of audio with references to try the bench with: what the tiny model of the tests knows by heart."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipelines.captions.reading.srt import format_srt
from pipelines.messages.lines import CaptionLine
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.testing.sound import Spoken, spoken_clips, write

PAUSE_MS = 800
LOUD_NOISE = 400
"""Standard deviation in 16-bit steps: 20 dB below the speech."""
_PER_FILE = 6


def made_folder(folder: Path) -> Path:
    """`<language>/clean` and `<language>/noisy`: single sentences with texts, and files of several with subtitles."""
    clips = spoken_clips(folder / ".clips")
    noise = np.random.default_rng(3)
    for clip in clips:
        for condition, level in (("clean", 0), ("noisy", LOUD_NOISE)):
            where = folder / clip.language / condition
            where.mkdir(parents=True, exist_ok=True)
            samples = clip.samples + noise.normal(0, level, len(clip.samples)) if level else clip.samples
            write(where / f"{clip.id}.wav", np.clip(samples, -32_768, 32_767).astype(np.int16))
            (where / f"{clip.id}.txt").write_text(clip.text, encoding="utf-8")
    for language in sorted({clip.language for clip in clips}):
        own = [clip for clip in clips if clip.language == language]
        for number in range(0, len(own), _PER_FILE):
            _several(folder / language / "long" / f"{language}-{number // _PER_FILE}", own[number : number + _PER_FILE])
    return folder


def _several(path: Path, clips: list[Spoken]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    parts, lines, at = [], [], 0
    for number, clip in enumerate(clips, 1):
        length = len(clip.samples) * 1000 // SAMPLE_RATE
        lines.append(CaptionLine(str(number), at, at + length, clip.text))
        parts += [clip.samples, np.zeros(PAUSE_MS * SAMPLE_RATE // 1000, np.int16)]
        at += length + PAUSE_MS
    write(path.with_suffix(".wav"), np.concatenate(parts))
    path.with_suffix(".srt").write_text(format_srt(lines), encoding="utf-8")
