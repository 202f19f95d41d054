"""Models that score every frame: omnilingual CTC, SenseVoice and the zipformer transducer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serve.testing.onnx_graph import Graph
from serve.testing.tiny_sherpa.script import NEVER, SENTENCES, facts, frames_of, text_of, token_lines
from serve.testing.tiny_sherpa.transducer import BANDS, save_transducer

OMNILINGUAL_STEP = 320
"""Samples of one frame."""
LFR_WINDOW, LFR_SHIFT = 7, 6
ZIPFORMER_STEP = 4
MISHEARD, MISHEARD_BY = "▁Rake", 0.5
"""What the zipformer takes the name for without help, and by how much it prefers that."""


def save_omnilingual(folder: Path) -> None:
    spoken = text_of("en").lower().replace(".", "")
    tokens = ["<s>", "<pad>", "</s>", "<unk>", "▁", *sorted(set(spoken) - {" "})]
    pieces = [tokens.index("▁" if letter == " " else letter) for letter in spoken]
    graph = Graph()
    graph.add("Shape", ["x"], "shape")
    graph.add("Gather", ["shape", graph.integer("second", 1)], "samples")
    graph.add("Div", ["samples", graph.integer("step", OMNILINGUAL_STEP)], "count")
    _scores_of_frames(graph, frames_of(pieces, 0, len(tokens), step=3))
    graph.add("Unsqueeze", ["rows", graph.integers("front", [0])], "logits")
    graph.save(
        folder / "model.int8.onnx",
        {"x": ("float", ["N", "num_samples"])},
        {"logits": ("float", ["N", "num_frames", len(tokens)])},
        facts(vocab_size=len(tokens), model_type="omnilingual-asr", sample_rate=16_000),
    )
    (folder / "tokens.txt").write_text(token_lines(tokens), "utf-8")


def save_sense_voice(folder: Path) -> None:
    pieces = SENTENCES["en"]
    marks = ["<|en|>", "<|NEUTRAL|>", "<|Speech|>", "<|woitn|>"]
    tokens = ["<unk>", "<s>", "</s>", *marks, *pieces]
    table = frames_of([tokens.index(piece) for piece in pieces], 0, len(tokens), step=2)
    head = np.full((len(marks), len(tokens)), NEVER, np.float32)
    head[np.arange(len(marks)), [tokens.index(mark) for mark in marks]] = 0.0
    graph = Graph()
    graph.add("Shape", ["x"], "shape")
    graph.add("Gather", ["shape", graph.integer("second", 1)], "padded")
    graph.add("Add", ["padded", graph.integer("marks", len(marks))], "count")
    _scores_of_frames(graph, np.concatenate([head, table]))
    _for_each_row(graph, "logits")
    width = LFR_WINDOW * BANDS
    graph.save(
        folder / "model.int8.onnx",
        {
            "x": ("float", ["N", "T", width]),
            "x_length": ("int32", ["N"]),
            "language": ("int32", ["N"]),
            "text_norm": ("int32", ["N"]),
        },
        {"logits": ("float", ["N", "L", len(tokens)])},
        facts(
            **{f"lang_{name}": number for number, name in enumerate(("auto", "zh", "en", "yue", "ja", "ko"))},
            **{"vocab_size": len(tokens), "lfr_window_size": LFR_WINDOW, "lfr_window_shift": LFR_SHIFT},
            **{"normalize_samples": 0, "with_itn": 14, "without_itn": 15, "model_type": "sense_voice_ctc"},
            neg_mean=",".join(["0"] * width),
            inv_stddev=",".join(["1"] * width),
        ),
    )
    (folder / "tokens.txt").write_text(token_lines(tokens), "utf-8")


def save_zipformer(folder: Path) -> None:
    pieces = SENTENCES["en"]
    # Single letters too, as in every published list: terms are spelled with them.
    letters = sorted({letter for piece in (*pieces, MISHEARD) for letter in piece} - {"."})
    tokens = ["<blk>", "<sos/eos>", "<unk>", *pieces, MISHEARD, *letters]
    table = frames_of([tokens.index(piece) for piece in pieces], 0, len(tokens))
    name = tokens.index("▁Reykjav")
    table[table[:, name] == 0.0, tokens.index(MISHEARD)] = MISHEARD_BY
    graph = Graph()
    graph.add("Div", ["x_lens", graph.integers("step", [ZIPFORMER_STEP])], "encoder_out_lens")
    graph.add("Shape", ["x"], "shape")
    graph.add("Gather", ["shape", graph.integer("second", 1)], "padded")
    graph.add("Div", ["padded", graph.integer("one_step", ZIPFORMER_STEP)], "count")
    _scores_of_frames(graph, table)
    _for_each_row(graph, "encoder_out")
    save_transducer(folder, graph, tokens)
    (folder / "bpe.vocab").write_text("".join(f"{token}\t{-number}\n" for number, token in enumerate(tokens)), "utf-8")


def _scores_of_frames(graph: Graph, table: NDArray[np.float32]) -> None:
    """`rows`: a row of the table for each of `count` frames, its last one for those after it."""
    graph.constant("table", table)
    graph.add("Range", [graph.integer("zero", 0), "count", graph.integer("one", 1)], "frame_numbers")
    graph.add("Min", ["frame_numbers", graph.integer("end", len(table) - 1)], "places")
    graph.add("Gather", ["table", "places"], "rows")


def _for_each_row(graph: Graph, made: str) -> None:
    """`rows` for each sound of the batch, whose number is the first of `shape`."""
    graph.add("Unsqueeze", ["rows", graph.integers("front", [0])], "one_row")
    graph.add("Gather", ["shape", graph.integers("batch", [0])], "rows_wanted")
    graph.add("Concat", ["rows_wanted", graph.integers("ones", [1, 1])], "repeats", axis=0)
    graph.add("Tile", ["one_row", "repeats"], made)
