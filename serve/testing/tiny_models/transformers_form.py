"""The tiny Whisper as transformers publishes one: the very weights of the int8 archive, multiplied out to float32.

Made where it is needed, so that both forms always hold the same model and no second archive is kept.
"""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from serve.core.models.model_files import MODEL_FILE
from serve.testing.tiny_models.archives import WHISPER, unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Weights = dict[str, NDArray[Any]]

NAME = "whisper-phrasebook"
_TYPES = {0: np.float32, 1: np.int8, 2: np.int16, 3: np.int32}
"""CTranslate2's numbers for the types of variables."""
_PARTS = {
    "self_attention": (("self_attn",), (("q_proj", "k_proj", "v_proj"), ("out_proj",))),
    "attention": (("encoder_attn",), (("q_proj",), ("k_proj", "v_proj"), ("out_proj",))),
    "ffn": ((), (("fc1",), ("fc2",))),
}
"""CTranslate2's blocks of a layer: the module in transformers, and the projections that each linear layer holds."""
_NORMS = {
    "self_attention": "self_attn_layer_norm",
    "attention": "encoder_attn_layer_norm",
    "ffn": "final_layer_norm",
}


def transformers_whisper(folder: Path) -> Path:
    """Write the model below `folder`; return its own folder, which is kept if it is there. Needs safetensors."""
    from safetensors.numpy import save_file

    target = folder / NAME
    if target.is_dir():
        return target
    source = unpack(WHISPER, folder / "ctranslate2")
    variables = _variables((source / MODEL_FILE).read_bytes())
    settings = json.loads((source / "config.json").read_text("utf-8"))
    weights = {name: np.ascontiguousarray(value) for name, value in _renamed(variables).items()}
    target.mkdir()
    for file in ("tokenizer.json", "preprocessor_config.json"):
        shutil.copy(source / file, target / file)
    _write(target / "config.json", _config(variables, weights))
    _write(target / "generation_config.json", _generation(settings))
    save_file(weights, target / "model.safetensors", metadata={"format": "pt"})
    return target


def _variables(content: bytes) -> Weights:
    """Every variable of a CTranslate2 file by name, int8 ones multiplied out."""
    offset = 4

    def number(form: str) -> int:
        nonlocal offset
        (value,) = struct.unpack_from(f"<{form}", content, offset)
        offset += struct.calcsize(f"<{form}")
        return int(value)

    def text() -> str:
        nonlocal offset
        size = number("H")
        offset += size
        return content[offset - size : offset - 1].decode()

    text()
    number("I")
    raw: Weights = {}
    for _ in range(number("I")):
        name = text()
        shape = [number("I") for _ in range(number("B"))]
        kind = _TYPES[number("B")]
        size = number("I")
        raw[name] = np.frombuffer(content, kind, size // np.dtype(kind).itemsize, offset).reshape(shape)
        offset += size
    return {
        name: _multiplied(value, raw[f"{name}_scale"]) if f"{name}_scale" in raw else value
        for name, value in raw.items()
    }


def _multiplied(weight: NDArray[Any], scale: NDArray[Any]) -> NDArray[Any]:
    multiplied: NDArray[Any] = weight.astype(np.float32) / scale.reshape(-1, *[1] * (weight.ndim - 1))
    return multiplied


def _renamed(variables: Weights) -> Weights:
    weights: Weights = {}
    for name, value in variables.items():
        side, _, rest = name.partition("/")
        block, _, leaf = rest.partition("/")
        prefix = f"model.{side}"
        if block.startswith("conv") and not leaf.endswith("_scale"):
            weights[f"{prefix}.{block}.{leaf}"] = value
        elif rest == "embeddings/weight":
            weights[f"{prefix}.embed_tokens.weight"] = value
        elif block == "position_encodings":
            weights[f"{prefix}.embed_positions.weight"] = value
        elif block == "layer_norm":
            weights[f"{prefix}.layer_norm.{_norm_leaf(leaf)}"] = value
        elif block.startswith("layer_") and not leaf.endswith("_scale"):
            weights |= _of_layer(f"{prefix}.layers.{block.removeprefix('layer_')}", leaf, value)
    return weights


def _of_layer(prefix: str, leaf: str, value: NDArray[Any]) -> Weights:
    part, module, kind = leaf.split("/")
    if module == "layer_norm":
        return {f"{prefix}.{_NORMS[part]}.{_norm_leaf(kind)}": value}
    owner, linears = _PARTS[part]
    names = linears[int(module.removeprefix("linear_"))]
    return {
        ".".join([prefix, *owner, name, kind]): piece
        for name, piece in zip(names, np.split(value, len(names)), strict=True)
        # Whisper's keys have no bias; CTranslate2 keeps zeros in its place.
        if (name, kind) != ("k_proj", "bias")
    }


def _norm_leaf(leaf: str) -> str:
    return {"gamma": "weight", "beta": "bias"}[leaf]


def _config(variables: Weights, weights: Weights) -> dict[str, Any]:
    vocabulary, width = weights["model.decoder.embed_tokens.weight"].shape
    config: dict[str, Any] = {
        "architectures": ["WhisperForConditionalGeneration"],
        "model_type": "whisper",
        "activation_function": "gelu",
        "d_model": width,
        "num_mel_bins": weights["model.encoder.conv1.weight"].shape[1],
        "vocab_size": vocabulary,
        "max_source_positions": len(weights["model.encoder.embed_positions.weight"]),
        "max_target_positions": len(weights["model.decoder.embed_positions.weight"]),
        "tie_word_embeddings": True,
        **_ends(),
    }
    for side in ("encoder", "decoder"):
        layers = {name.split(".")[3] for name in weights if name.startswith(f"model.{side}.layers.")}
        config[f"{side}_layers"] = len(layers)
        config[f"{side}_attention_heads"] = int(variables[f"{side}/num_heads"])
        config[f"{side}_ffn_dim"] = len(weights[f"model.{side}.layers.0.fc1.bias"])
    return config


def _generation(settings: dict[str, Any]) -> dict[str, Any]:
    return {
        **_ends(),
        "alignment_heads": settings["alignment_heads"],
        "begin_suppress_tokens": settings["suppress_ids_begin"],
        "is_multilingual": True,
        "max_length": 448,
    }


def _ends() -> dict[str, int]:
    end, start = 50257, 50258
    return {"pad_token_id": end, "bos_token_id": end, "eos_token_id": end, "decoder_start_token_id": start}


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")
