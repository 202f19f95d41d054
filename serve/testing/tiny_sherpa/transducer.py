"""The files of a transducer whose encoder says everything: the decoder knows the last piece, and the joiner adds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from serve.testing.onnx_graph import Graph
from serve.testing.tiny_sherpa.script import facts, token_lines

BANDS = 80
CONTEXT = 2
ENCODER = "encoder-epoch-99-avg-1.int8.onnx"


def save_transducer(folder: Path, encoder: Graph, tokens: Sequence[str]) -> None:
    """`encoder` makes `encoder_out`, shape (batch, frames, tokens), and its lengths from `x` and `x_lens`."""
    count = len(tokens)
    encoder.save(
        folder / ENCODER,
        {"x": ("float", ["N", "T", BANDS]), "x_lens": ("int64", ["N"])},
        {"encoder_out": ("float", ["N", "S", count]), "encoder_out_lens": ("int64", ["N"])},
        facts(model_type="zipformer2"),
    )
    save_ends(folder, tokens, np.zeros((count, count), np.float32))


def save_ends(folder: Path, tokens: Sequence[str], after: NDArray[np.float32]) -> None:
    """Decoder, joiner and tokens. `after`, shape (tokens, tokens), is added to the scores by the last piece."""
    count = len(tokens)
    graph = Graph()
    graph.constant("after", after)
    graph.add("Gather", ["y", graph.integer("last", CONTEXT - 1)], "piece", axis=1)
    graph.add("Gather", ["after", "piece"], "decoder_out")
    graph.save(
        folder / "decoder-epoch-99-avg-1.onnx",
        {"y": ("int64", ["N", CONTEXT])},
        {"decoder_out": ("float", ["N", count])},
        facts(vocab_size=count, context_size=CONTEXT),
    )
    graph = Graph()
    graph.add("Add", ["encoder_out", "decoder_out"], "logit")
    graph.save(
        folder / "joiner-epoch-99-avg-1.int8.onnx",
        {"encoder_out": ("float", ["N", count]), "decoder_out": ("float", ["N", count])},
        {"logit": ("float", ["N", count])},
        facts(joiner_dim=count),
    )
    (folder / "tokens.txt").write_text(token_lines(tokens), "utf-8")
