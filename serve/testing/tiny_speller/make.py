"""Makes the archive of the tiny speller: `python -m serve.testing.tiny_speller.make WEIGHTS.npz` (see README.md)."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from serve.testing.tiny_models.archives import ARCHIVES, pack
from serve.testing.tiny_speller.folders import ARCHIVE, OMNILINGUAL, ZIPFORMER
from serve.testing.tiny_speller.graphs import save_omnilingual, save_zipformer


def main(weights: str) -> None:
    with np.load(weights) as loaded:
        values = {name: loaded[name] for name in loaded.files}
    with tempfile.TemporaryDirectory() as root:
        model = Path(root, ARCHIVE)
        for name, save in ((OMNILINGUAL, save_omnilingual), (ZIPFORMER, save_zipformer)):
            (model / name).mkdir(parents=True)
            save(model / name, values)
        pack(model, ARCHIVES / f"{ARCHIVE}.tar.xz")


if __name__ == "__main__":
    main(sys.argv[1])
