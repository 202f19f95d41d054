"""The finished pair of tiny speaker models."""

from __future__ import annotations

from pathlib import Path

from serve.testing.tiny_models.archives import unpack

TINY_SPEAKERS = "speakers-flite"
"""Segmentation and embedding in sherpa-onnx's form, for the three voices of flite that speak at 16 kHz."""

TINY_PYANNOTE = "speakers-pyannote"
"""The checkpoint of a small `PyanNet`, pyannote's segmentation model, for the same voices."""


def speakers_folder(folder: Path) -> Path:
    """The folder of the models, unpacked below `folder`."""
    return unpack(TINY_SPEAKERS, folder)
