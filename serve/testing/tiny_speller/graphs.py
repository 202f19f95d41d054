"""The speller as ONNX: an omnilingual CTC model that hears samples, and a zipformer that hears Kaldi's features."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from serve.testing.onnx_graph import Graph
from serve.testing.tiny_sherpa.script import facts, token_lines
from serve.testing.tiny_sherpa.transducer import save_transducer
from serve.testing.tiny_speller.fbank import EDGE, FFT, FLOOR, FRAME, SHIFT, mel_matrix, spectrum_matrix
from serve.testing.tiny_speller.shape import DILATIONS, KERNEL, LETTERS

AGAIN = 30.0
"""Taken from the score of a letter that wins a second frame in a row: a transducer writes it once."""
Weights = Mapping[str, NDArray[Any]]
TOKENS = ["<s>", *("▁" if letter == " " else letter for letter in LETTERS)]


def save_omnilingual(folder: Path, weights: Weights) -> None:
    graph = Graph()
    # Edges are reflected as Kaldi does it, the first sample included.
    for side, start, end, step in (("left", EDGE - 1, -(1 << 40), -1), ("right", -1, -EDGE - 1, -1)):
        graph.add("Slice", ["x", *graph.slice(side, start, end, axis=1, step=step)], f"{side}_edge")
    graph.add("Concat", ["left_edge", "x", "right_edge"], "padded", axis=1)
    graph.add("Unsqueeze", ["padded", graph.integers("channel", [1])], "channels")
    graph.constant("spectrum", spectrum_matrix()[:, None, :])
    graph.add("Conv", ["channels", "spectrum"], "parts", strides=[SHIFT], kernel_shape=[FRAME])
    graph.add("Mul", ["parts", "parts"], "squares")
    half = FFT // 2 + 1
    graph.add("Split", ["squares", graph.integers("halves", [half, half])], "real", "imaginary", axis=1)
    graph.add("Add", ["real", "imaginary"], "powers")
    graph.constant("bands", mel_matrix()[:, :, None])
    graph.add("Conv", ["powers", "bands"], "energies")
    graph.add("Max", ["energies", graph.constant("floor", np.array([FLOOR]))], "heard")
    graph.add("Log", ["heard"], "mels")
    _network(graph, weights)
    graph.add("Transpose", ["scores"], "logits", perm=[0, 2, 1])
    graph.save(
        folder / "model.int8.onnx",
        {"x": ("float", ["N", "num_samples"])},
        {"logits": ("float", ["N", "num_frames", len(TOKENS)])},
        facts(vocab_size=len(TOKENS), model_type="omnilingual-asr", sample_rate=16_000),
    )
    (folder / "tokens.txt").write_text(token_lines(TOKENS), "utf-8")


def save_zipformer(folder: Path, weights: Weights) -> None:
    """A transducer writes one letter in a frame, so frames have 20 ms here. The runtime takes them for 40 ms: its times
    are twice those of the sound.
    """
    tokens = ["<blk>", *TOKENS[1:], "<unk>"]
    graph = Graph()
    graph.add("Transpose", ["x"], "mels", perm=[0, 2, 1])
    _network(graph, weights)
    graph.add("Transpose", ["scores"], "frames", perm=[0, 2, 1])
    graph.add("LogSoftmax", ["frames"], "likely", axis=2)
    # `<unk>`, the last token, is never shown.
    one_letter, never = graph.integers("one_letter", [0, 0, 0, 0, 0, 1]), graph.constant("no", np.array(-2 * AGAIN))
    graph.add("Pad", ["likely", one_letter, never], "wide")
    graph.add("ReduceMax", ["wide", graph.integers("letters", [2])], "best", keepdims=1)
    graph.add("Equal", ["wide", "best"], "wins")
    graph.cast("wins", "float", "won")
    graph.add("Mul", ["won", graph.constant("kinds", np.array([0.0] + [1.0] * (len(tokens) - 1)))], "shown")
    one_frame, zero = graph.integers("one_frame", [0, 1, 0, 0, 0, 0]), graph.constant("zero", np.array(0.0))
    graph.add("Pad", ["shown", one_frame, zero], "late")
    graph.add("Slice", ["late", *graph.slice("all_but_last", 0, -1, axis=1)], "before")
    # A letter that wins again is the same letter: nothing takes its place, so that no other letter wins.
    graph.add("Mul", ["shown", "before"], "again")
    graph.add("ReduceMax", ["again", "letters"], "is_again", keepdims=1)
    graph.add("Slice", ["wide", *graph.slice("first_letter", 0, 1, axis=2)], "nothing")
    graph.add("Sub", ["best", "nothing"], "lead")
    graph.add("Mul", ["lead", "is_again"], "gain")
    graph.add("Mul", ["gain", graph.constant("blank", np.array([1.0] + [0.0] * (len(tokens) - 1)))], "gains")
    graph.add("Mul", ["again", graph.constant("loss", np.array(AGAIN))], "losses")
    graph.add("Add", ["wide", "gains"], "raised_nothing")
    graph.add("Sub", ["raised_nothing", "losses"], "encoder_out")
    graph.add("Add", ["x_lens", graph.integers("one", [1])], "raised")
    graph.add("Div", ["raised", graph.integers("two", [2])], "encoder_out_lens")
    save_transducer(folder, graph, tokens)


def _network(graph: Graph, weights: Weights) -> None:
    """`scores` of each letter every 20 ms, shape (batch, letters, frames), from `mels` of shape (batch, 80, frames)."""
    graph.add("ReduceMean", ["mels", graph.integers("time", [2])], "mean", keepdims=1)
    graph.add("Sub", ["mels", "mean"], "level")
    for name in weights:
        graph.quantized(name, weights[name]) if name.endswith("weight") else graph.constant(name, weights[name])
    half = KERNEL // 2
    graph.add("Conv", ["level", "first.weight", "first.bias"], "raw", strides=[2], pads=[half, half])
    graph.add("Relu", ["raw"], "hidden_0")
    for index, step in enumerate(DILATIONS):
        inputs = [f"hidden_{index}", f"layers.{index}.weight", f"layers.{index}.bias"]
        graph.add("Conv", inputs, f"turned_{index}", dilations=[step], pads=[half * step, half * step])
        graph.add("Relu", [f"turned_{index}"], f"active_{index}")
        graph.add("Add", [f"hidden_{index}", f"active_{index}"], f"hidden_{index + 1}")
    graph.add("Conv", [f"hidden_{len(DILATIONS)}", "last.weight", "last.bias"], "scores")
