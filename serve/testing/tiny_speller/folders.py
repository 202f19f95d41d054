"""The finished tiny speller, in the form of an omnilingual CTC model and in that of a zipformer."""

from __future__ import annotations

from pathlib import Path

from serve.testing.tiny_models.archives import unpack

ARCHIVE = "speller-flite"
OMNILINGUAL = "sherpa-onnx-omnilingual-asr-1600-languages-tiny-ctc"
ZIPFORMER = "sherpa-onnx-zipformer-en-letters"


def omnilingual_speller(folder: Path) -> Path:
    """The folder of the CTC model, unpacked below `folder`."""
    return unpack(ARCHIVE, folder) / OMNILINGUAL


def zipformer_speller(folder: Path) -> Path:
    """The folder of the transducer, unpacked below `folder`."""
    return unpack(ARCHIVE, folder) / ZIPFORMER
