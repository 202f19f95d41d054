"""Makes the tiny models: `python -m serve.testing.tiny_sherpa.make` (see README.md for what it needs)."""

from __future__ import annotations

import tempfile
from pathlib import Path

from serve.testing.tiny_models.archives import ARCHIVES, pack
from serve.testing.tiny_sherpa.decoders import save_canary, save_cohere, save_moonshine, save_qwen3
from serve.testing.tiny_sherpa.folders import ARCHIVE, FOLDERS
from serve.testing.tiny_sherpa.frames import save_omnilingual, save_sense_voice, save_zipformer

_SAVE = {
    "canary": save_canary,
    "cohere": save_cohere,
    "moonshine": save_moonshine,
    "omnilingual": save_omnilingual,
    "qwen3_asr": save_qwen3,
    "sense_voice": save_sense_voice,
    "zipformer": save_zipformer,
}


def main() -> None:
    with tempfile.TemporaryDirectory() as root:
        model = Path(root, ARCHIVE)
        for name, save in _SAVE.items():
            folder = model / FOLDERS[name]
            folder.mkdir(parents=True)
            save(folder)
        _as_ort(model / FOLDERS["moonshine"])
        pack(model, ARCHIVES / f"{ARCHIVE}.tar.xz")


def _as_ort(folder: Path) -> None:
    """ONNX files in the form of onnxruntime's own files, as Moonshine's are published."""
    import onnxruntime

    for path in sorted(folder.glob("*.onnx")):
        options = onnxruntime.SessionOptions()
        options.optimized_model_filepath = str(path.with_suffix(".ort"))
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        path.unlink()


if __name__ == "__main__":
    main()
