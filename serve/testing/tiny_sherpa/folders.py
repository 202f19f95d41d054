"""The finished tiny models of sherpa-onnx's families, one folder each, named as the published ones are."""

from __future__ import annotations

from pathlib import Path

from serve.testing.tiny_models.archives import unpack

ARCHIVE = "sherpa-families"
FOLDERS = {
    "canary": "sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8",
    "cohere": "sherpa-onnx-cohere-transcribe-14-lang-int8-2026-04-01",
    "moonshine": "sherpa-onnx-moonshine-base-en-quantized-2026-02-27",
    "omnilingual": "sherpa-onnx-omnilingual-asr-1600-languages-300M-ctc-int8-2025-11-12",
    "qwen3_asr": "sherpa-onnx-qwen3-asr-0.6B-int8-2026-03-25",
    "sense_voice": "sherpa-onnx-sense-voice-zh-en-ja-ko-yue-2024-07-17",
    "zipformer": "sherpa-onnx-zipformer-en-2023-06-26",
}


def unpack_families(folder: Path) -> dict[str, Path]:
    """The models unpacked below `folder`, by family."""
    models = unpack(ARCHIVE, folder)
    return {family: models / name for family, name in FOLDERS.items()}
