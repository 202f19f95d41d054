"""The three ONNX graphs of a NeMo transducer (TDT) as sherpa-onnx exports them, with names and shapes of the real ones.

The encoder scores each piece, blank and duration in each frame. The prediction network knows the last piece: it marks
it, and marks down pieces that no sentence has after it. The joint network adds both, and where the frame still
belongs to the last piece, it gives that piece's score to blank.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from serve.testing.onnx_graph import Form, Graph
from serve.testing.tiny_parakeet.features import BANDS
from serve.testing.tiny_parakeet.network import AFTER, BEFORE, CEPSTRA, HIDDEN, KERNEL, STEP, Weights, cosines
from serve.testing.tiny_parakeet.scenes import LONGEST_STEP
from serve.testing.tiny_parakeet.script import Script

UNLIKELY = -5.0
"""Added to pieces that no sentence has after the last one."""
NEVER = -1e4
STATE = 1
"""Width of the recurrent state, which carries nothing here."""


def facts_of(script: Script) -> dict[str, object]:
    """What an encoder's file says about its model; sherpa-onnx recognises a TDT by the `url`."""
    return {
        "vocab_size": script.blank,
        "normalize_type": "per_feature",
        "pred_rnn_layers": 1,
        "pred_hidden": STATE,
        "subsampling_factor": STEP,
        "model_type": "EncDecRNNTBPEModel",
        "version": "2",
        "model_author": "made for tests",
        "url": "made for tests: parakeet-tdt-0.6b-v3",
        "comment": "made for tests",
        "feat_dim": BANDS,
    }


def save_encoder(path: Path, script: Script, weights: Weights) -> None:
    tokens = script.blank + 1
    graph = Graph()
    graph.weights("cosines", cosines().T[:, :, None])
    graph.weights("first", weights.first.T.reshape(HIDDEN, CEPSTRA, KERNEL))
    graph.weights("second", weights.second.T[:, :, None])
    graph.add("Conv", ["audio_signal", "cosines"], "cepstra")
    first_bias = graph.constant("first_bias", weights.first_bias)
    graph.add("Conv", ["cepstra", "first", first_bias], "hidden_0", strides=[STEP], pads=[BEFORE, AFTER])
    graph.add("Relu", ["hidden_0"], "hidden")
    graph.add("Conv", ["hidden", "second", graph.constant("second_bias", weights.second_bias)], "scores")
    graph.add("Split", ["scores", graph.integers("parts", [tokens, LONGEST_STEP + 1])], "raw", "durations", axis=1)
    graph.add("LogSoftmax", ["raw"], "pieces", axis=1)
    graph.add("Concat", ["pieces", "durations"], "outputs", axis=1)
    graph.add("Add", ["length", graph.integers("most", [STEP - 1])], "raised")
    graph.add("Div", ["raised", graph.integers("step", [STEP])], "encoded_lengths")
    graph.save(
        path,
        {"audio_signal": ("float", ["B", BANDS, "T"]), "length": ("int64", ["B"])},
        {"outputs": ("float", ["B", tokens + LONGEST_STEP + 1, "F"]), "encoded_lengths": ("int64", ["B"])},
        facts_of(script),
    )


def save_decoder(path: Path, script: Script) -> None:
    pieces = script.blank
    marks = np.zeros((pieces + 1, 2 * pieces), np.float32)
    marks[:, pieces:] = UNLIKELY
    for last, after in script.followers.items():
        marks[last, [pieces + piece for piece in after]] = 0.0
    for last in range(pieces):
        marks[last, last] = 1.0
        marks[last, pieces + last] = NEVER
    marks[:, pieces] = NEVER  # <unk> is never spoken
    graph = Graph()
    graph.weights("marks", marks)
    graph.add("Gather", ["marks", "targets"], "found")
    graph.add("Transpose", ["found"], "outputs", perm=[0, 2, 1])
    graph.add("Identity", ["target_length"], "prednet_lengths")
    graph.add("Identity", ["states.1"], "states")
    graph.add("Identity", ["onnx::Slice_3"], "next_cells")
    state: Form = ("float", [1, "B", STATE])
    graph.save(
        path,
        {
            "targets": ("int32", ["B", "U"]),
            "target_length": ("int32", ["B"]),
            "states.1": state,
            "onnx::Slice_3": state,
        },
        {
            "outputs": ("float", ["B", 2 * pieces, "U"]),
            "prednet_lengths": ("int32", ["B"]),
            "states": state,
            "next_cells": state,
        },
        {},
    )


def save_joiner(path: Path, script: Script) -> None:
    pieces, durations = script.blank, LONGEST_STEP + 1
    graph = Graph()
    graph.add(
        "Split",
        ["encoder_outputs", graph.integers("parts", [pieces, 1, durations])],
        *("scores", "blank_0", "durations"),
        axis=1,
    )
    graph.add("Split", ["decoder_outputs", graph.integers("halves", [pieces, pieces])], "last", "marks", axis=1)
    graph.add("Sub", [graph.constant("one", np.array([1.0])), "last"], "others")
    graph.add("Mul", ["others", graph.constant("never", np.array([NEVER]))], "hidden_others")
    graph.add("Add", ["scores", "hidden_others"], "score_of_last")
    graph.add("ReduceMax", ["score_of_last", graph.integers("axis", [1])], "again", keepdims=1)
    graph.add("Max", ["blank_0", "again"], "blank")
    graph.add("Add", ["scores", "marks"], "marked")
    graph.add("Concat", ["marked", "blank", "durations"], "joined", axis=1)
    graph.add("Transpose", ["joined"], "turned", perm=[0, 2, 1])
    graph.add("Unsqueeze", ["turned", graph.integers("axis_2", [2])], "outputs")
    size = pieces + 1 + durations
    graph.save(
        path,
        {"encoder_outputs": ("float", ["B", size, 1]), "decoder_outputs": ("float", ["B", 2 * pieces, 1])},
        {"outputs": ("float", ["B", 1, 1, size])},
        {},
    )
