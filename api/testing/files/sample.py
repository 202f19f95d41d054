"""The sample that comes with the product, cut short: the offline model needs about as long as the speech lasts."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pipelines.media.sample import SAMPLE

SHORT_S = 10
"""Holds the first sentence and a little more."""


def short_sample(folder: Path) -> Path:
    """The first `SHORT_S` seconds of the sample."""
    path = folder / "short.mp4"
    copied = ["-t", str(SHORT_S), "-c", "copy", str(path)]
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", str(SAMPLE), *copied], check=True)
    return path
