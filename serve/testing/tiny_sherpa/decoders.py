"""Models with a decoder that writes token by token: Canary, Cohere Transcribe, Moonshine v2 and Qwen3-ASR."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import numpy as np

from serve.testing.onnx_graph import Form, Graph
from serve.testing.tiny_sherpa.script import SENTENCES, facts, first_pieces, followers, languages_of, token_lines

BANDS = 128
CANARY_STEP = 8
WIDTH = 8
HEADS, LONGEST = 2, 512
MOONSHINE_STEP = 384
"""Samples of one frame of Moonshine's encoder, by which its decoder thins the mask."""
_PROMPT = ("<|startofcontext|>", "<|startoftranscript|>", "<|emo:undefined|>", "<|pnc|>", "<|nopnc|>", "<|itn|>")
_MARKS = (*_PROMPT, "<|noitn|>", "<|notimestamp|>", "<|nodiarize|>")
_END = "<|endoftext|>"


def _prompted_tokens() -> list[str]:
    named = [f"<|{language}|>" for language in SENTENCES]
    return ["<unk>", _END, *_MARKS, *named, *(piece for pieces in SENTENCES.values() for piece in pieces)]


def save_canary(folder: Path) -> None:
    tokens = _prompted_tokens()
    graph = Graph()
    _every(graph, "audio_signal", CANARY_STEP, axis=1)
    graph.add("Slice", ["thin", *graph.slice("width", 0, WIDTH, axis=2)], "encoder_embeddings")
    graph.add("Div", ["length", graph.integers("step", [CANARY_STEP])], "encoder_lengths")
    graph.add("ReduceSum", ["encoder_embeddings", graph.integers("last_axis", [2])], "sums", keepdims=0)
    graph.add("Greater", ["sums", graph.constant("least", np.array([-1e9]))], "is_there")
    graph.cast("is_there", "float", "encoder_mask")
    graph.save(
        folder / "encoder.int8.onnx",
        {"audio_signal": ("float", [1, "T", BANDS]), "length": ("int64", [1])},
        {
            "encoder_embeddings": ("float", [1, "F", WIDTH]),
            "encoder_lengths": ("int64", [1]),
            "encoder_mask": ("float", [1, "F"]),
        },
        facts(
            **{"vocab_size": len(tokens), "normalize_type": "per_feature", "subsampling_factor": CANARY_STEP},
            **{"feat_dim": BANDS, "model_type": "EncDecMultiTaskModel", "num_decoder_layers": 1},
            decoder_hidden_size=len(SENTENCES),
        ),
    )
    graph = Graph()
    graph.cast("decoder_input_ids", "int64", "ids")
    graph.add("Slice", ["ids", *graph.slice("first", 0, 1, axis=1)], "token")
    graph.constant("languages", languages_of(tokens))
    graph.add("Gather", ["languages", "token"], "language")
    graph.add("Concat", ["decoder_mems_0", "language"], "decoder_hidden_states_0", axis=1)
    graph.add("ReduceMax", ["decoder_hidden_states_0", graph.integers("axis", [1])], "spoken", keepdims=1)
    _next_tokens(graph, "token", tokens, "<|nodiarize|>", _END)
    graph.save(
        folder / "decoder.int8.onnx",
        {
            "decoder_input_ids": ("int32", [1, 2]),
            "decoder_mems_0": ("float", [1, "S", len(SENTENCES)]),
            "encoder_embeddings": ("float", [1, "F", WIDTH]),
            "encoder_mask": ("float", [1, "F"]),
        },
        {
            "logits": ("float", [1, 1, len(tokens)]),
            "decoder_hidden_states_0": ("float", [1, "S1", len(SENTENCES)]),
        },
        {},
    )
    (folder / "tokens.txt").write_text(token_lines(tokens), "utf-8")


def save_cohere(folder: Path) -> None:
    tokens = _prompted_tokens()
    graph = Graph()
    graph.add("Transpose", ["input_features"], "turned", perm=[0, 2, 1])
    _every(graph, "turned", CANARY_STEP, axis=1)
    graph.add("Slice", ["thin", *graph.slice("width", 0, WIDTH, axis=2)], "narrow")
    graph.add("Unsqueeze", ["narrow", graph.integers("front", [0])], "n_layer_cross_k")
    graph.add("Identity", ["n_layer_cross_k"], "n_layer_cross_v")
    crossed: Form = ("float", [1, "N", "F", WIDTH])
    graph.save(
        folder / "encoder.int8.onnx",
        {"input_features": ("float", ["N", BANDS, "T"])},
        {"n_layer_cross_k": crossed, "n_layer_cross_v": crossed},
        facts(model_type="cohere-transcribe-03-2026"),
    )
    graph = Graph()
    graph.constant("languages", languages_of(tokens))
    graph.add("Gather", ["languages", "tokens"], "named")
    graph.add("ReduceMax", ["named", graph.integers("axis", [1])], "spoken", keepdims=1)
    _next_tokens(graph, "tokens", tokens, "<|nodiarize|>", _END)
    for half in ("k", "v"):
        graph.add("Identity", [f"in_n_layer_self_{half}_cache"], f"out_n_layer_self_{half}_cache")
    cache: Form = ("float", [1, 1, HEADS, LONGEST, WIDTH // HEADS])
    graph.save(
        folder / "decoder.int8.onnx",
        {
            "tokens": ("int64", ["N", "L"]),
            "in_n_layer_self_k_cache": cache,
            "in_n_layer_self_v_cache": cache,
            "n_layer_cross_k": crossed,
            "n_layer_cross_v": crossed,
            "offset": ("int64", []),
        },
        {
            "logits": ("float", ["N", "L", len(tokens)]),
            "out_n_layer_self_k_cache": cache,
            "out_n_layer_self_v_cache": cache,
        },
        {},
    )
    (folder / "tokens.txt").write_text(token_lines(tokens), "utf-8")


def save_moonshine(folder: Path) -> None:
    """As ONNX; `make.py` turns both files into ORT's form."""
    tokens = ["<unk>", "<s>", "</s>", *SENTENCES["en"]]
    graph = Graph()
    graph.add("Unsqueeze", ["input_values", graph.integers("last", [2])], "deep")
    _every(graph, "deep", MOONSHINE_STEP, axis=1)
    graph.add("Tile", ["thin", graph.integers("wide", [1, 1, WIDTH])], "last_hidden_state")
    graph.save(
        folder / "encoder_model.onnx",
        {"input_values": ("float", ["N", "samples"])},
        {"last_hidden_state": ("float", ["N", "F", WIDTH])},
        {},
    )
    graph = Graph()
    # As in the published graphs, the mask has the length of the samples and is thinned to frames here.
    graph.cast("encoder_attention_mask", "float", "seen")
    _every(graph, "seen", MOONSHINE_STEP, axis=1)
    graph.add("ReduceSum", ["encoder_hidden_states", graph.integers("width", [2])], "sums", keepdims=0)
    graph.add("Add", ["sums", "thin"], "masked")
    graph.add("ReduceMax", ["masked", graph.integers("frames", [1])], "loudest", keepdims=1)
    graph.add("Unsqueeze", ["loudest", graph.integers("end", [2])], "loudest_3")
    graph.add("Mul", ["loudest_3", graph.constant("nought", np.array([0.0]))], "nothing")
    graph.constant("followers", followers(tokens, "<s>", "</s>"))
    graph.add("Gather", ["followers", "input_ids"], "scores")
    graph.add("Add", ["scores", "nothing"], "logits")
    state: Form = ("float", [1, HEADS, "P", WIDTH // HEADS])
    grown: Form = ("float", [1, HEADS, "P2", WIDTH // HEADS])
    names = [f"{side}.{half}" for side in ("decoder", "encoder") for half in ("key", "value")]
    # With a second frame in them, the runtime knows that the encoder's states are there.
    graph.constant("two", np.zeros((1, HEADS, 2, WIDTH // HEADS), np.float32))
    for name in names:
        graph.add("Concat", [f"past_key_values.0.{name}", "two"], f"present.0.{name}", axis=2)
    graph.save(
        folder / "decoder_model_merged.onnx",
        {
            "encoder_attention_mask": ("int64", ["N", "samples"]),
            "input_ids": ("int64", ["N", "L"]),
            "encoder_hidden_states": ("float", ["N", "F", WIDTH]),
            **{f"past_key_values.0.{name}": state for name in names},
            "use_cache_branch": ("bool", [1]),
        },
        {"logits": ("float", ["N", "L", len(tokens)]), **{f"present.0.{name}": grown for name in names}},
        {},
    )
    coded = [base64.b64encode(token.replace("▁", " ").encode()).decode() for token in tokens]
    (folder / "tokens.txt").write_text(token_lines(coded), "utf-8")


def save_qwen3(folder: Path) -> None:
    specials = ["<|im_start|>", "<|im_end|>", "<|audio_start|>", "<|audio_end|>", "<|audio_pad|>", "<|endoftext|>"]
    # Its vocabulary is that of bytes: "Ġ" is the space before a word, and Latin letters beyond ASCII are two signs.
    pieces = [_as_bytes(piece) for piece in SENTENCES["en"]]
    answer = ["language", "ĠEnglish", "<asr_text>", *pieces]
    tokens = ["Ċ", "s", "y", "t", "e", "m", "u", "r", "a", "i", "n", *answer, *specials]
    table = np.zeros((len(tokens), len(tokens)), np.float32)
    for last, following in zip(("Ċ", *answer), (*answer, "<|im_end|>"), strict=True):
        table[tokens.index(last), tokens.index(following)] = 10.0
    graph = Graph()
    _every(graph, "input_features", CANARY_STEP, axis=1)
    graph.add("Slice", ["thin", *graph.slice("width", 0, WIDTH, axis=2)], "narrow")
    graph.add("Abs", ["narrow"], "positive")
    graph.add("Add", ["positive", graph.constant("one", np.array([1.0]))], "conv_output")
    graph.save(
        folder / "conv_frontend.onnx",
        {"input_features": ("float", [1, "T", BANDS])},
        {"conv_output": ("float", [1, "F", WIDTH])},
        {},
    )
    graph = Graph()
    graph.add("Identity", ["conv_output"], "audio_features")
    graph.save(
        folder / "encoder.int8.onnx",
        {"conv_output": ("float", [1, "F", WIDTH]), "feature_attention_mask": ("bool", [1, "F"])},
        {"audio_features": ("float", [1, "F", WIDTH])},
        {},
    )
    graph = Graph()
    graph.constant("followers", table)
    graph.add("Gather", ["followers", "input_ids"], "logits")
    graph.add("Shape", ["input_ids"], "shape")
    graph.add("Concat", ["shape", graph.integers("heads", [HEADS, WIDTH // HEADS])], "delta", axis=0)
    for half in ("key", "value"):
        graph.add("ConstantOfShape", ["delta"], f"{half}_delta_0")
    past: Form = ("float", [1, LONGEST, HEADS, WIDTH // HEADS])
    delta: Form = ("float", [1, "L", HEADS, WIDTH // HEADS])
    graph.save(
        folder / "decoder.int8.onnx",
        {
            "input_ids": ("int64", [1, "L"]),
            "audio_features": ("float", [1, "F", WIDTH]),
            "attention_mask": ("int64", [1, "M"]),
            "cache_position": ("int64", ["L"]),
            "past_key_0": past,
            "past_value_0": past,
        },
        {"logits": ("float", [1, "L", len(tokens)]), "key_delta_0": delta, "value_delta_0": delta},
        facts(model_type="qwen3_asr_kv_delta", max_total_len=LONGEST),
    )
    tokenizer = folder / "tokenizer"
    tokenizer.mkdir()
    ordinary = {token: number for number, token in enumerate(tokens) if token not in specials}
    added = {str(tokens.index(token)): {"content": token, "special": True} for token in specials}
    (tokenizer / "vocab.json").write_text(json.dumps(ordinary, ensure_ascii=False), "utf-8")
    (tokenizer / "merges.txt").write_text("#version: 0.2\n", "utf-8")
    (tokenizer / "tokenizer_config.json").write_text(json.dumps({"added_tokens_decoder": added}), "utf-8")


def _every(graph: Graph, name: str, step: int, *, axis: int) -> None:
    """`thin`: every so many places along the axis."""
    graph.add("Slice", [name, *graph.slice(f"every_{step}", 0, 1 << 40, axis=axis, step=step)], "thin")


def _next_tokens(graph: Graph, last: str, tokens: list[str], begins: str, ends: str) -> None:
    """`logits` by the last token, and by the language in `spoken` where the sentence begins."""
    graph.constant("followers", followers(tokens, begins, ends))
    graph.constant("first_pieces", first_pieces(tokens))
    graph.add("Gather", ["followers", last], "scores")
    graph.add("MatMul", ["spoken", "first_pieces"], "by_language")
    graph.add("Add", ["scores", "by_language"], "logits")


def _as_bytes(piece: str) -> str:
    return piece.replace("▁", "Ġ").replace("í", "ÃŃ")
