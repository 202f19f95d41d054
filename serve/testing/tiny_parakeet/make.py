"""Makes the tiny transducer: `python -m serve.testing.tiny_parakeet.make` (see README.md for what it needs)."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from serve.testing.tiny_models.archives import ARCHIVES, pack
from serve.testing.tiny_parakeet.archive import TINY_PARAKEET
from serve.testing.tiny_parakeet.features import log_mels
from serve.testing.tiny_parakeet.graphs import save_decoder, save_encoder, save_joiner
from serve.testing.tiny_parakeet.network import contexts, fit
from serve.testing.tiny_parakeet.scenes import load_clips_in_pieces, make_scene
from serve.testing.tiny_parakeet.script import Script

SCENES = 1_500


def main() -> None:
    script, dice = Script(), np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        spoken = load_clips_in_pieces(script, Path(folder, "clips"))
        given, pieces, steps = [], [], []
        for _ in range(SCENES):
            scene = make_scene(spoken, dice, script.blank)
            seen = contexts(log_mels(scene.samples)).astype(np.float16)
            frames = min(len(seen), len(scene.pieces))
            given.append(seen[:frames])
            pieces.append(scene.pieces[:frames])
            steps.append(scene.steps[:frames])
        weights = fit(np.concatenate(given), np.concatenate(pieces), np.concatenate(steps), script.blank + 1)
        model = Path(folder, TINY_PARAKEET)
        model.mkdir()
        save_encoder(model / "encoder.int8.onnx", script, weights)
        save_decoder(model / "decoder.int8.onnx", script)
        save_joiner(model / "joiner.int8.onnx", script)
        (model / "tokens.txt").write_text("\n".join(script.token_lines) + "\n", "utf-8")
        pack(model, ARCHIVES / f"{TINY_PARAKEET}.tar.xz")


if __name__ == "__main__":
    main()
