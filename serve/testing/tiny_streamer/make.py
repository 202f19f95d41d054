"""Makes the archive: `python -m serve.testing.tiny_streamer.make WEIGHTS.npz` (see README.md for what it needs)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from serve.testing.tiny_models.archives import ARCHIVES, pack
from serve.testing.tiny_streamer.folders import ARCHIVE, FOLDERS
from serve.testing.tiny_streamer.graphs import save_lstm
from serve.testing.tiny_streamer.scripted import save_nemotron, save_t_one


def main(weights: str) -> None:
    with np.load(weights) as loaded:
        values = {name: loaded[name] for name in loaded.files}
    with tempfile.TemporaryDirectory() as root:
        model = Path(root, ARCHIVE)
        for name in FOLDERS.values():
            (model / name).mkdir(parents=True)
        save_lstm(model / FOLDERS["zipformer_streaming"], values)
        save_nemotron(model / FOLDERS["nemotron"])
        save_t_one(model / FOLDERS["t_one"])
        pack(model, ARCHIVES / f"{ARCHIVE}.tar.xz")


if __name__ == "__main__":
    main(sys.argv[1])
