"""Whisper models of the true shapes with random weights: as fast as the real ones, without recognising anything.

No weights can be downloaded where the benchmarks must run. Two kinds are made here, in int8, without torch:

- a *reciter* writes the same text for every window with high confidence, and stops after a given number of tokens.
  Its position embeddings alone decide the next token, so the product's code and the bare engine run unchanged (no
  suppressed end, no fixed length) and produce equally many tokens.
- a *babbler* holds only noise: it writes random tokens for any input, and never stops by itself.
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
    fill_norm,
    teach,
)
from serve.testing.tiny_models.archives import WHISPER, unpack
from serve.testing.tiny_models.clips import load_clips

if TYPE_CHECKING:
    from ctranslate2.specs import WhisperSpec

VERSION = 2
"""Incremented when models of an older version must not be reused."""

MELS, CONTEXT, POSITIONS = 80, 1500, 448


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a Whisper whose encoder and decoder have equally many layers. `alignment_heads` are (layer, head)."""

    name: str
    layers: int
    heads: int
    width: int
    alignment_heads: tuple[tuple[int, int], ...]


TINY = Shape("tiny", 4, 6, 384, ((2, 2), (3, 0), (3, 2), (3, 3), (3, 4), (3, 5)))
BASE = Shape("base", 6, 8, 512, ((3, 1), (4, 2), (4, 3), (4, 7), (5, 1), (5, 2), (5, 4), (5, 6)))
SMALLEST = Shape("smallest", 1, 2, 128, ((0, 0), (0, 1)))
"""Not a published model: it keeps tests quick."""
SHAPES = {shape.name: shape for shape in (TINY, BASE, SMALLEST)}


def reciter(shape: Shape, tokens: int, folder: Path | None = None) -> Path:
    """Make a reciter of `tokens` tokens, of which the first is a timestamp; return its folder."""
    return _made(f"reciter-{shape.name}-{tokens}", shape, folder, tokens)


def babbler(shape: Shape, folder: Path | None = None) -> Path:
    """Make a babbler, which writes random tokens for silence and speech alike; return its folder."""
    return _made(f"babbler-{shape.name}", shape, folder, None)


def _made(name: str, shape: Shape, folder: Path | None, tokens: int | None) -> Path:
    folder = folder or cache_folder()
    target = folder / f"{name}-{VERSION}"
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        source = unpack(WHISPER, Path(work, "tiny"))
        made = Path(work, "made")
        made.mkdir()
        _write(shape, tokens, source, made)
        for file in ("tokenizer.json", "preprocessor_config.json"):
            shutil.copy(source / file, made / file)
        # Another process may have made the same model meanwhile.
        if not target.is_dir():
            made.rename(target)
    return target


def _write(shape: Shape, tokens: int | None, source: Path, target: Path) -> None:
    from ctranslate2.specs import WhisperSpec

    vocabulary: list[str] = json.loads((source / "vocabulary.json").read_text("utf-8"))
    settings: dict[str, Any] = json.loads((source / "config.json").read_text("utf-8"))
    draw = drawing(7)
    spec = WhisperSpec(shape.layers, shape.heads, shape.layers, shape.heads)
    _fill_encoder(spec, shape, draw)
    _fill_decoder(spec, shape, draw, len(vocabulary))
    if tokens is not None:
        teach(spec.decoder, _script(vocabulary, source, tokens), draw)
    spec.register_vocabulary(vocabulary)
    for name in ("suppress_ids", "suppress_ids_begin", "lang_ids"):
        setattr(spec.config, name, settings[name])
    spec.config.alignment_heads = [list(head) for head in shape.alignment_heads]
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(target))


def _fill_encoder(spec: WhisperSpec, shape: Shape, draw: Draw) -> None:
    encoder, width = spec.encoder, shape.width
    encoder.conv1.weight, encoder.conv1.bias = draw(width, MELS, 3), draw(width)
    encoder.conv2.weight, encoder.conv2.bias = draw(width, width, 3), draw(width)
    encoder.position_encodings.encodings = draw(CONTEXT, width)
    fill_norm(encoder.layer_norm, width)
    for layer in encoder.layer:
        fill_attention(layer.self_attention, (3, 1), width, draw)
        fill_feed_forward(layer.ffn, width, draw)


def _fill_decoder(spec: WhisperSpec, shape: Shape, draw: Draw, vocabulary: int) -> None:
    decoder, width = spec.decoder, shape.width
    decoder.embeddings.weight = draw(vocabulary, width)
    decoder.projection.weight = decoder.embeddings.weight
    decoder.position_encodings.encodings = draw(POSITIONS, width)
    fill_norm(decoder.layer_norm, width)
    for layer in decoder.layer:
        fill_attention(layer.self_attention, (3, 1), width, draw)
        fill_attention(layer.attention, (1, 2, 1), width, draw)
        fill_feed_forward(layer.ffn, width, draw)


def _script(vocabulary: list[str], source: Path, tokens: int) -> list[int]:
    """The token that each decoder position selects. Positions 0 to 2 hold the prompt: start, language, task."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    special = {name: vocabulary.index(name) for name in ("<|en|>", "<|transcribe|>", "<|0.00|>", "<|endoftext|>")}
    sentences = list(dict.fromkeys(clip.text for clip in load_clips()))
    text = tokenizer.encode(" " + " ".join(sentences)).ids
    if not 1 < tokens <= len(text):
        raise ValueError(f"A reciter says 2 to {len(text)} tokens, not {tokens}.")
    spoken = [special["<|0.00|>"], *text[: tokens - 1]]
    return [special["<|en|>"], special["<|transcribe|>"], *spoken, special["<|endoftext|>"]]
