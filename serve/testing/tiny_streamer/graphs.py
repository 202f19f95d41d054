"""The trained network as an LSTM transducer of the k2 recipes, which hears Kaldi's features."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from serve.testing.onnx_graph import Form, Graph
from serve.testing.tiny_sherpa.script import facts
from serve.testing.tiny_sherpa.transducer import BANDS, ENCODER, save_ends
from serve.testing.tiny_streamer.pieces import pieces
from serve.testing.tiny_streamer.shape import CHUNK, HIDDEN, LAYERS, LEVEL, SEEN, SPREAD, STEP

NEVER = -30.0
CELLS = HIDDEN + 1
"""Of the state of each layer. The last one of the first layer is the piece that won the frame before."""
Weights = Mapping[str, NDArray[Any]]


def save_lstm(folder: Path, weights: Weights) -> None:
    tokens = pieces()
    graph = Graph()
    graph.add("Transpose", ["x"], "bands", perm=[0, 2, 1])
    graph.add("Sub", ["bands", graph.constant("level", np.array(LEVEL))], "centred")
    graph.add("Div", ["centred", graph.constant("spread", np.array(SPREAD))], "small")
    graph.quantized("front.weight", weights["front.weight"])
    graph.constant("front.bias", weights["front.bias"])
    graph.add("Conv", ["small", "front.weight", "front.bias"], "window", strides=[STEP])
    graph.add("Relu", ["window"], "seen")
    graph.add("Transpose", ["seen"], "layer_0", perm=[2, 0, 1])
    for layer in range(LAYERS):
        _layer(graph, weights, layer)
    graph.add("Concat", [f"h_{layer}_next" for layer in range(LAYERS)], "next_h", axis=0)
    graph.add("Transpose", [f"layer_{LAYERS}"], "rows", perm=[1, 0, 2])
    graph.quantized("last.turned", weights["last.weight"])
    graph.add("Transpose", ["last.turned"], "last.weight", perm=[1, 0])
    graph.constant("last.bias", weights["last.bias"])
    graph.add("MatMul", ["rows", "last.weight"], "weighed")
    graph.add("Add", ["weighed", "last.bias"], "scores")
    graph.add("LogSoftmax", ["scores"], "likely", axis=2)
    _write_once(graph, len(tokens))
    hidden: Form = ("float", [LAYERS, "N", HIDDEN])
    cells: Form = ("float", [LAYERS, "N", CELLS])
    graph.save(
        folder / ENCODER,
        {"x": ("float", ["N", SEEN, BANDS]), "h": hidden, "c": cells},
        {"encoder_out": ("float", ["N", "S", len(tokens)]), "next_h": hidden, "next_c": cells},
        facts(
            **{"model_type": "lstm", "num_encoder_layers": LAYERS, "T": SEEN, "decode_chunk_len": CHUNK},
            **{"rnn_hidden_size": CELLS, "d_model": HIDDEN},
        ),
    )
    save_ends(folder, tokens, np.zeros((len(tokens), len(tokens)), np.float32))


def _write_once(graph: Graph, count: int) -> None:
    """`encoder_out` from `likely`, and `next_c`: a piece that wins frame after frame is written once, as CTC means it.

    In the frames after the first one nothing wins. So a transducer writes a piece twice only where nothing won between.
    """
    graph.add("ArgMax", ["likely"], "won", axis=2, keepdims=0)
    graph.cast("won", "float", "winners")
    graph.add("Slice", ["c", *graph.slice("kept_layer", 0, 1, axis=0)], "kept_cells")
    graph.add("Slice", ["kept_cells", *graph.slice("kept_cell", HIDDEN, CELLS, axis=2)], "kept")
    graph.add("Squeeze", ["kept", graph.integers("kept_first", [0])], "last_winner")
    graph.add("Slice", ["winners", *graph.slice("all_but_last", 0, -1, axis=1)], "earlier")
    graph.add("Concat", ["last_winner", "earlier"], "before", axis=1)
    graph.add("Equal", ["winners", "before"], "is_same")
    graph.add("Greater", ["winners", graph.constant("nothing", np.array(0.0))], "is_piece")
    graph.add("And", ["is_same", "is_piece"], "is_again")
    graph.add("Unsqueeze", ["is_again", graph.integers("pieces_axis", [2])], "again")
    alone = np.full(count, NEVER)
    alone[0] = 0.0
    graph.add("Where", ["again", graph.constant("only_nothing", alone), "likely"], "encoder_out")
    graph.add("Slice", ["winners", *graph.slice("last", -1, 1 << 40, axis=1)], "newest")
    graph.add("Unsqueeze", ["newest", graph.integers("layer_axis", [0])], "to_keep")
    graph.add("Mul", ["to_keep", graph.constant("no", np.array(0.0))], "unused")
    for layer in range(LAYERS):
        graph.add("Concat", [f"c_{layer}_next", "unused" if layer else "to_keep"], f"cells_{layer}", axis=2)
    graph.add("Concat", [f"cells_{layer}" for layer in range(LAYERS)], "next_c", axis=0)


def _layer(graph: Graph, weights: Weights, layer: int) -> None:
    """`layer_N+1`, shape (frames, batch, hidden), from `layer_N` and its part of the states."""
    name = f"lstm_{layer}"
    for ours, theirs in (("w", "ih"), ("r", "hh")):
        graph.quantized(f"{name}.{ours}_flat", _gates(weights[f"lstm.weight_{theirs}_l{layer}"]))
        graph.add("Unsqueeze", [f"{name}.{ours}_flat", graph.integers(f"{name}.{ours}_front", [0])], f"{name}.{ours}")
    biases = [_gates(weights[f"lstm.bias_{theirs}_l{layer}"]) for theirs in ("ih", "hh")]
    graph.constant(f"{name}.b", np.concatenate(biases)[None])
    graph.add("Slice", ["h", *graph.slice(f"{name}.h", layer, layer + 1, axis=0)], f"h_{layer}")
    graph.add("Slice", ["c", *graph.slice(f"{name}.c", layer, layer + 1, axis=0)], f"{name}.cells")
    graph.add("Slice", [f"{name}.cells", *graph.slice(f"{name}.own", 0, HIDDEN, axis=2)], f"c_{layer}")
    graph.add(
        "LSTM",
        [f"layer_{layer}", f"{name}.w", f"{name}.r", f"{name}.b", "", f"h_{layer}", f"c_{layer}"],
        *(f"{name}.all", f"h_{layer}_next", f"c_{layer}_next"),
        hidden_size=HIDDEN,
    )
    graph.add("Squeeze", [f"{name}.all", graph.integers(f"{name}.direction", [1])], f"layer_{layer + 1}")


def _gates(value: NDArray[Any]) -> NDArray[Any]:
    """Torch has the gates in the order input, forget, cell, output; ONNX input, output, forget, cell."""
    entered, forgotten, cell, shown = np.split(value, 4)
    return np.concatenate([entered, shown, forgotten, cell])
