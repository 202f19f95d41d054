"""The finished tiny transducer."""

from __future__ import annotations

from pathlib import Path

from serve.testing.tiny_models.archives import unpack

TINY_PARAKEET = "parakeet-phrasebook"
"""Encoder, decoder, joiner and tokens in the form of sherpa-onnx's `nemo-parakeet-tdt` folders."""


def parakeet_folder(folder: Path) -> Path:
    """The folder of the model, unpacked below `folder`."""
    return unpack(TINY_PARAKEET, folder)
