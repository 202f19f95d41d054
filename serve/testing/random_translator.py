"""Translation models of true shapes with random weights: as fast as real ones, without translating anything.

- a *reciter* writes the same words for every sentence and stops by itself (see `random_weights.teach`).
- a *looper* writes one word again and again and never stops.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from serve.testing.random_weights import (
    Draw,
    cache_folder,
    drawing,
    fill_attention,
    fill_feed_forward,
    fill_linear,
    fill_norm,
    teach,
)
from serve.testing.tiny_models.archives import TRANSLATION, unpack
from serve.testing.tiny_models.phrases import phrases_between

if TYPE_CHECKING:
    from ctranslate2.specs import TransformerSpec

VERSION = 1
"""Incremented when models of an older version must not be reused."""
POSITIONS = 256
TOKENS = 18
"""Of every translation: a line of captions in Icelandic."""
END, TARGET = "</s>", "__is__"


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a Transformer whose encoder and decoder have equally many layers."""

    name: str
    layers: int
    heads: int
    width: int
    vocabulary: int


BASE = Shape("base", 6, 8, 512, 32_000)
"""Transformer base: OPUS-MT's size."""
SMALLEST = Shape("smallest", 1, 2, 64, 2_000)
"""Not a published size: it keeps tests quick."""
SHAPES = {shape.name: shape for shape in (BASE, SMALLEST)}


def reciting_translator(shape: Shape, folder: Path | None = None) -> Path:
    """Make a reciter in the form of M2M100, from English to Icelandic; return its folder."""
    return _made(f"translator-{shape.name}-{VERSION}", shape, folder, stops=True)


def looping_translator(shape: Shape, folder: Path | None = None) -> Path:
    """Make a looper of the same form."""
    return _made(f"looper-{shape.name}-{VERSION}", shape, folder, stops=False)


def _made(name: str, shape: Shape, folder: Path | None, *, stops: bool) -> Path:
    folder = folder or cache_folder()
    target = folder / name
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        source = unpack(TRANSLATION, Path(work, "tiny"))
        made = Path(work, "made")
        made.mkdir()
        _write(shape, source, made, stops=stops)
        shutil.copy(source / "sentencepiece.bpe.model", made)
        # Another process may have made the same model meanwhile.
        if not target.is_dir():
            made.rename(target)
    return target


def _write(shape: Shape, source: Path, target: Path, *, stops: bool) -> None:
    from ctranslate2.specs import TransformerSpec
    from sentencepiece import SentencePieceProcessor

    vocabulary: list[str] = json.loads((source / "shared_vocabulary.json").read_text("utf-8"))
    settings: dict[str, Any] = json.loads((source / "config.json").read_text("utf-8"))
    vocabulary += [f"unused{index}" for index in range(len(vocabulary), shape.vocabulary)]
    pieces = SentencePieceProcessor(model_file=str(source / "sentencepiece.bpe.model"))
    longest = max((phrase.target for phrase in phrases_between("en", "is")), key=len)
    words: list[str] = pieces.encode(longest, out_type=str)
    # The first position holds the start, and its next token is given as the target's prefix.
    written = [*list(dict.fromkeys(words))[:TOKENS], END] if stops else words[:1]
    script = [vocabulary.index(token) for token in (TARGET, *written)]
    draw = drawing(7)
    spec = TransformerSpec.from_config(shape.layers, shape.heads)
    _fill(spec, shape, draw)
    teach(spec.decoder, script, draw)
    spec.register_source_vocabulary(vocabulary)
    spec.register_target_vocabulary(vocabulary)
    for name in ("bos_token", "eos_token", "unk_token", "decoder_start_token"):
        setattr(spec.config, name, settings[name])
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(target))


def _fill(spec: TransformerSpec, shape: Shape, draw: Draw) -> None:
    width = shape.width
    embeddings = draw(shape.vocabulary, width)
    for coder in (spec.encoder, spec.decoder):
        coder.scale_embeddings = False
        coder.position_encodings.encodings = draw(POSITIONS, width)
        fill_norm(coder.layer_norm, width)
        for layer in coder.layer:
            fill_attention(layer.self_attention, (3, 1), width, draw)
            fill_feed_forward(layer.ffn, width, draw)
    spec.encoder.embeddings[0].weight = embeddings
    spec.decoder.embeddings.weight = embeddings.copy()
    fill_linear(spec.decoder.projection, shape.vocabulary, width, draw)
    spec.decoder.projection.weight = spec.decoder.embeddings.weight
    for layer in spec.decoder.layer:
        fill_attention(layer.attention, (1, 2, 1), width, draw)
