"""Makes the tiny punctuation model: `python -m serve.testing.tiny_punctuation.make` (see README.md for what it needs).

What the runtime requires was read in its source (sherpa-onnx, `online-punctuation-cnn-bilstm-impl.h` and
`online-cnn-bilstm-model.cc`): rows of 200 tokens between 1 and 2, which words they begin, and scores for each word.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from serve.testing.onnx_graph import Graph
from serve.testing.tiny_models.archives import ARCHIVES, pack
from serve.testing.tiny_punctuation.folder import NAME

ROW = 200
NO, COMMA, PERIOD, QUESTION = range(4)
LOWER, UPPER, CAPITAL, MIXED = range(4)
PLAIN = ["the", "weather", "is", "fine", "today", "will", "meet", "again", "in", "morning", "how", "are", "you", "well"]
CASES = {"we": CAPITAL, "harpa": CAPITAL, "nato": UPPER, "i": UPPER}
MARKS = {"today": PERIOD, "well": COMMA, "you": QUESTION}
"""Words that write the same wherever they stand; others depend on being first or last."""
FACTS = {"COMMA": 1, "PERIOD": 2, "QUESTION": 3, "UPPER": 1, "CAP": 2, "MIX_CASE": 3}


def make(folder: Path) -> None:
    words = [*PLAIN, *CASES]
    pieces = ["<unk>", "<s>", "</s>", *(f"▁{word}" for word in words), "▁", *"abcdefghijklmnopqrstuvwxyz'"]
    (folder / "bpe.vocab").write_text("".join(f"{piece}\t{-index}\n" for index, piece in enumerate(pieces)), "utf-8")
    case, mark = (np.zeros((len(pieces), 4), np.float32) for _ in "cm")
    for word in words:
        row = pieces.index(f"▁{word}")
        case[row, CASES.get(word, LOWER)] = 1
        mark[row, MARKS.get(word, NO)] = 1
    graph = Graph()
    graph.constant("case_table", case)
    graph.constant("mark_table", mark)
    graph.constant("first", np.eye(4, dtype=np.float32)[CAPITAL] * 0.9 + np.eye(4, dtype=np.float32)[LOWER] * -0.5)
    graph.constant("last", np.eye(4, dtype=np.float32)[PERIOD] * 0.9 + np.eye(4, dtype=np.float32)[NO] * -0.5)
    for name, value in (("one", 1), ("two", 2)):
        graph.integer(name, value)
    graph.cast("token_ids", "int64", "ids")
    graph.cast("valid_ids", "int64", "valid")
    graph.add("Slice", ["ids", *graph.slice("tail", 1, ROW, axis=1)], "after")
    graph.add("Slice", ["ids", *graph.slice("head", 0, ROW - 1, axis=1)], "before")
    graph.add("Slice", ["ids", *graph.slice("edge", 0, 1, axis=1)], "edge")
    graph.add("Sub", ["edge", "edge"], "nothing")
    graph.add("Concat", ["nothing", "before"], "previous", axis=1)
    graph.add("Concat", ["after", "nothing"], "following", axis=1)
    graph.integers("flat", [-1])
    graph.integers("rows", [-1, 1])
    for name, near, wanted in (("case", "previous", "one"), ("mark", "following", "two")):
        graph.add("Equal", [near, wanted], f"{name}_is_edge")
        graph.cast(f"{name}_is_edge", "float", f"{name}_edge")
        graph.add("Reshape", [f"{name}_edge", "rows"], f"{name}_column")
        graph.add("Mul", [f"{name}_column", "first" if name == "case" else "last"], f"{name}_bonus")
        graph.add("Reshape", ["ids", "flat"], f"{name}_ids")
        graph.add("Gather", [f"{name}_table", f"{name}_ids"], f"{name}_own")
        graph.add("Add", [f"{name}_own", f"{name}_bonus"], f"{name}_all")
    graph.add("Equal", ["valid", "one"], "begins")
    graph.add("Greater", ["ids", "two"], "speaks")
    graph.integer("zero", 0)
    graph.add("Equal", ["ids", "zero"], "unknown")
    graph.add("Or", ["speaks", "unknown"], "counts")
    graph.add("And", ["begins", "counts"], "word")
    graph.add("Reshape", ["word", "flat"], "words")
    graph.add("Compress", ["case_all", "words"], "case_logits", axis=0)
    graph.add("Compress", ["mark_all", "words"], "punct_logits", axis=0)
    graph.save(
        folder / "model.int8.onnx",
        {
            "token_ids": ("int32", ["N", ROW]),
            "valid_ids": ("int32", ["N", ROW]),
            "label_lens": ("int32", ["N"]),
        },
        {"case_logits": ("float", ["T", 4]), "punct_logits": ("float", ["T", 4])},
        FACTS,
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        made = Path(work, NAME)
        made.mkdir()
        make(made)
        pack(made, ARCHIVES / f"{NAME}.tar.xz")
