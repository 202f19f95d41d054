"""Models of the other streaming families: each says one sentence, whatever it hears, at a steady pace."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from serve.testing.onnx_graph import Form, Graph
from serve.testing.tiny_sherpa.script import SENTENCES, facts, frames_of, token_lines
from serve.testing.tiny_streamer.folders import RUSSIAN

NEVER = -1e4
BANDS = 128
NEMOTRON_WINDOW, NEMOTRON_SHIFT, NEMOTRON_STEP = 65, 56, 8
"""Frames of 10 ms that the encoder sees, of a chunk, and for each of its own: the form of 560 ms."""
TONE_SAMPLES, TONE_FRAMES = 2_400, 10
"""Samples of a piece at 8 kHz, and the frames that it gives."""
STATE = 1


def save_nemotron(folder: Path) -> None:
    """A streaming NeMo transducer. Its cache counts the frames that it has given."""
    said = SENTENCES["en"]
    tokens = ["<unk>", *said, "<blk>"]
    count, blank = len(tokens), len(tokens) - 1
    frames = NEMOTRON_SHIFT // NEMOTRON_STEP
    graph = Graph()
    table = frames_of([tokens.index(piece) for piece in said], blank, count, step=3)
    # What comes after the piece of a frame is nothing, not just anything else.
    table[:, blank] = np.maximum(table[:, blank], -1.0)
    graph.constant("table", table)
    _places(graph, "cache_last_channel_len", frames, "table")
    graph.add("Transpose", ["rows"], "outputs", perm=[0, 2, 1])
    graph.add("Mul", ["length", graph.integers("none", [0])], "no_length")
    graph.add("Add", ["no_length", graph.integers("frames", [frames])], "encoded_lengths")
    graph.add("Add", ["cache_last_channel_len", "frames"], "cache_last_channel_len_next")
    for cache in ("cache_last_channel", "cache_last_time"):
        graph.add("Identity", [cache], f"{cache}_next")
    cache_form: Form = ("float", ["N", 1, 1, 1])
    caches = ("cache_last_channel", "cache_last_time")
    dimensions = {f"{cache}_dim{number}": 1 for cache in caches for number in (1, 2, 3)}
    graph.save(
        folder / "encoder.int8.onnx",
        {
            "audio_signal": ("float", ["N", BANDS, "T"]),
            "length": ("int64", ["N"]),
            **dict.fromkeys(caches, cache_form),
            "cache_last_channel_len": ("int64", ["N"]),
        },
        {
            "outputs": ("float", ["N", count, "F"]),
            "encoded_lengths": ("int64", ["N"]),
            **{f"{cache}_next": cache_form for cache in caches},
            "cache_last_channel_len_next": ("int64", ["N"]),
        },
        facts(
            **{"vocab_size": blank, "window_size": NEMOTRON_WINDOW, "chunk_shift": NEMOTRON_SHIFT},
            **{"subsampling_factor": NEMOTRON_STEP, "normalize_type": "", "model_type": "EncDecRNNTBPEModel"},
            **{"pred_rnn_layers": 1, "pred_hidden": STATE, **dimensions},
        ),
    )
    after = np.zeros((count, count), np.float32)
    # A frame gives pieces until it gives none, so a piece takes its own place away.
    after[np.arange(blank), np.arange(blank)] = NEVER
    graph = Graph()
    graph.constant("after", after)
    graph.add("Gather", ["after", "targets"], "found")
    graph.add("Transpose", ["found"], "outputs", perm=[0, 2, 1])
    graph.add("Identity", ["target_length"], "prednet_lengths")
    graph.add("Identity", ["states.1"], "states")
    graph.add("Identity", ["onnx::Slice_3"], "next_cells")
    state: Form = ("float", [1, "N", STATE])
    graph.save(
        folder / "decoder.int8.onnx",
        {
            **{"targets": ("int32", ["N", "U"]), "target_length": ("int32", ["N"])},
            **{"states.1": state, "onnx::Slice_3": state},
        },
        {
            **{"outputs": ("float", ["N", count, "U"]), "prednet_lengths": ("int32", ["N"])},
            **{"states": state, "next_cells": state},
        },
        {},
    )
    graph = Graph()
    graph.add("Add", ["encoder_outputs", "decoder_outputs"], "sums")
    graph.add("Transpose", ["sums"], "turned", perm=[0, 2, 1])
    graph.add("Unsqueeze", ["turned", graph.integers("axis_2", [2])], "outputs")
    graph.save(
        folder / "joiner.int8.onnx",
        {"encoder_outputs": ("float", ["N", count, 1]), "decoder_outputs": ("float", ["N", count, 1])},
        {"outputs": ("float", ["N", 1, 1, count])},
        {},
    )
    (folder / "tokens.txt").write_text(token_lines(tokens), "utf-8")


def save_t_one(folder: Path) -> None:
    """Streaming CTC over letters that hears samples at 8 kHz. Its state counts the frames that it has given."""
    tokens = [*sorted(set(RUSSIAN) - {" "}), "▁", "<blk>"]
    spelled = [tokens.index("▁" if letter == " " else letter) for letter in RUSSIAN]
    graph = Graph()
    graph.constant("table", frames_of(spelled, len(tokens) - 1, len(tokens), step=3))
    graph.add("Squeeze", ["state", graph.integers("width", [1])], "counted_half")
    graph.cast("counted_half", "int64", "counted")
    _places(graph, "counted", TONE_FRAMES, "table")
    graph.add("Identity", ["rows"], "logprobs")
    graph.add("Add", ["counted", graph.integers("more", [TONE_FRAMES])], "grown")
    graph.cast("grown", "half", "grown_half")
    graph.add("Unsqueeze", ["grown_half", "width"], "next_state")
    graph.save(
        folder / "model.onnx",
        {"signal": ("int32", ["N", TONE_SAMPLES, 1]), "state": ("half", ["N", 1])},
        {"logprobs": ("float", ["N", TONE_FRAMES, len(tokens)]), "next_state": ("half", ["N", 1])},
        facts(frame_length_ms=300, state_dim=1, sample_rate=8_000, model_type="t-one"),
    )
    (folder / "tokens.txt").write_text(token_lines(tokens), "utf-8")


def _places(graph: Graph, counted: str, frames: int, table: str) -> None:
    """`rows`, shape (batch, frames, tokens): those of the table after the first `counted` ones, then its last one."""
    graph.add("Shape", [table], "table_shape")
    graph.add("Gather", ["table_shape", graph.integer("rows_first", 0)], "table_rows")
    graph.add("Sub", ["table_rows", graph.integer("one_row", 1)], "table_end")
    graph.add("Unsqueeze", [counted, graph.integers("columns", [1])], "begins")
    graph.add("Add", ["begins", graph.integers("numbers", list(range(frames)))], "wanted")
    graph.add("Min", ["wanted", "table_end"], "places")
    graph.add("Gather", [table, "places"], "rows")
