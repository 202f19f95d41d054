"""The finished streaming models, one folder for each family, named as the published ones are."""

from __future__ import annotations

from pathlib import Path

from serve.testing.tiny_models.archives import unpack

ARCHIVE = "streaming"
RUSSIAN = "доброе утро"
"""What the T-one says."""
FOLDERS = {
    "nemotron": "sherpa-onnx-nemotron-speech-streaming-en-0.6b-560ms-int8-2026-04-25",
    "t_one": "sherpa-onnx-streaming-t-one-russian-2025-09-08",
    "zipformer_streaming": "sherpa-onnx-streaming-lstm-en-flite",
}


def streaming_models(folder: Path) -> dict[str, Path]:
    """The models unpacked below `folder`, by family. That of k2's form hears; the others say one sentence."""
    models = unpack(ARCHIVE, folder)
    return {family: models / name for family, name in FOLDERS.items()}
