"""A chat model of a true shape with random weights: as fast as a trained one, without meaning. Made without torch."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from serve.testing.tiny_models.archives import CHAT, unpack
from serve.testing.tiny_models.chat_names import END, PAD, START


@dataclass(frozen=True, slots=True)
class ChatShape:
    name: str
    layers: int
    heads: int
    key_heads: int
    width: int
    hidden: int


HALF = ChatShape("half", 12, 14, 2, 896, 4864)
"""Half of the layers of a model of half a billion weights, which do not fit into a processor's cache."""


def random_chat(shape: ChatShape, folder: Path) -> Path:
    """Write the model below `folder` and return its own folder. It has the tokenizer of the tiny chat model.

    Its answers never end by themselves, so every request writes exactly its `max_tokens`.
    """
    from ctranslate2.specs import TransformerDecoderModelSpec, common_spec

    source = unpack(CHAT, folder)
    target = folder / f"random-{shape.name}"
    target.mkdir()
    vocabulary: list[str] = json.loads((source / "vocabulary.json").read_text("utf-8"))
    generator = np.random.default_rng(7)

    def draw(*size: int) -> Any:
        return generator.standard_normal(size, dtype=np.float32) * np.float32(0.05)

    spec = TransformerDecoderModelSpec.from_config(
        shape.layers,
        shape.heads,
        activation=common_spec.Activation.SWISH,
        ffn_glu=True,
        rms_norm=True,
        rotary_dim=0,
        rotary_interleave=False,
        num_heads_kv=shape.key_heads,
    )
    decoder, width, head = spec.decoder, shape.width, shape.width // shape.heads
    ones = np.ones(width, dtype=np.float32)
    decoder.scale_embeddings = False
    decoder.embeddings.weight = draw(len(vocabulary), width)
    decoder.layer_norm.gamma = ones
    projection = draw(len(vocabulary), width)
    # The score of the end is 0, and of more than a thousand random scores the best one is above it.
    projection[vocabulary.index(END)] = 0
    decoder.projection.weight = projection
    for layer in decoder.layer:
        layer.self_attention.layer_norm.gamma = ones
        layer.self_attention.linear[0].weight = draw(width + 2 * shape.key_heads * head, width)
        layer.self_attention.linear[1].weight = draw(width, width)
        layer.ffn.layer_norm.gamma = ones
        layer.ffn.linear_0.weight = draw(shape.hidden, width)
        layer.ffn.linear_0_noact.weight = draw(shape.hidden, width)
        layer.ffn.linear_1.weight = draw(width, shape.hidden)
    spec.config.bos_token, spec.config.eos_token, spec.config.unk_token = START, END, PAD
    spec.config.layer_norm_epsilon = 1e-6
    spec.register_vocabulary(vocabulary)
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(target))
    for name in ("tokenizer.json", "tokenizer_config.json", "chat_template.jinja", "generation_config.json"):
        shutil.copy(source / name, target / name)
    return target
