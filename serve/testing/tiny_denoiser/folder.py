"""The finished tiny denoiser, for tests."""

from __future__ import annotations

from pathlib import Path

from serve.testing.tiny_models.archives import unpack

NAME, WEIGHTS = "denoiser", "gtcrn_simple.onnx"


def denoiser_folder(folder: Path) -> Path:
    """The model, unpacked below `folder`. It takes steady noise out of any sound."""
    return unpack(NAME, folder)
