"""Makes the tiny denoiser: `python -m serve.testing.tiny_denoiser.make` (see README.md for what it needs).

What the runtime requires was read in its source (sherpa-onnx, `offline-speech-denoiser-gtcrn-*`). Where the published
model has a network, this one subtracts the steady part of the spectrum: the slowly rising minimum of each band's
smoothed power (R. Martin, "Noise power spectral density estimation based on optimal smoothing and minimum statistics",
2001).
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from serve.testing.onnx_graph import Graph
from serve.testing.tiny_denoiser.folder import NAME, WEIGHTS
from serve.testing.tiny_models.archives import ARCHIVES, pack

BANDS = 257
STATE = [1, BANDS, 1, 1]
SMOOTHING, RISE, SUBTRACTED, LEAST_GAIN = 0.8, 1.005, 3.0, 0.15
FACTS = {
    "model_type": "gtcrn",
    "sample_rate": 16_000,
    "n_fft": 512,
    "hop_length": 256,
    "window_length": 512,
    "window_type": "hann_sqrt",
    "version": 1,
    "conv_cache_shape": ",".join(map(str, STATE)),
    "tra_cache_shape": ",".join(map(str, STATE)),
    "inter_cache_shape": "1",
}


def make(path: Path) -> None:
    graph = Graph()
    for name, value in (
        ("kept", SMOOTHING),
        ("new", 1 - SMOOTHING),
        ("rise", RISE),
        ("factor", SUBTRACTED),
        ("least", LEAST_GAIN**2),
        ("tiny", 1e-10),
        ("zero", 0.0),
        ("one", 1.0),
    ):
        graph.constant(name, np.array(value))
    graph.integers("pair", [3])
    graph.add("Mul", ["mix", "mix"], "squares")
    graph.add("ReduceSum", ["squares", "pair"], "power", keepdims=1)
    graph.add("Equal", ["conv_cache", "zero"], "is_first")
    graph.add("Mul", ["conv_cache", "kept"], "old")
    graph.add("Mul", ["power", "new"], "added")
    graph.add("Add", ["old", "added"], "mixed")
    graph.add("Where", ["is_first", "power", "mixed"], "conv_cache_out")
    graph.add("Mul", ["tra_cache", "rise"], "risen")
    graph.add("Min", ["risen", "conv_cache_out"], "lowest")
    graph.add("Where", ["is_first", "conv_cache_out", "lowest"], "tra_cache_out")
    graph.add("Mul", ["tra_cache_out", "factor"], "noise")
    graph.add("Add", ["conv_cache_out", "tiny"], "floor")
    graph.add("Div", ["noise", "floor"], "share")
    graph.add("Sub", ["one", "share"], "gain")
    graph.add("Max", ["gain", "least"], "bounded")
    graph.add("Sqrt", ["bounded"], "mask")
    graph.add("Mul", ["mix", "mask"], "enh")
    graph.add("Identity", ["inter_cache"], "inter_cache_out")
    states = {"conv_cache": STATE, "tra_cache": STATE, "inter_cache": [1]}
    graph.save(
        path,
        {"mix": ("float", [1, BANDS, 1, 2]), **{name: ("float", shape) for name, shape in states.items()}},
        {
            "enh": ("float", [1, BANDS, 1, 2]),
            **{f"{name}_out": ("float", shape) for name, shape in states.items()},
        },
        FACTS,
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        made = Path(work, NAME)
        made.mkdir()
        make(made / WEIGHTS)
        pack(made, ARCHIVES / f"{NAME}.tar.xz")
