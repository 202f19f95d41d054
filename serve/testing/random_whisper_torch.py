"""Whisper models of the true shapes with random weights, as transformers publishes them. Needs torch.

They cost what the published ones cost, and say what they are told to.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from serve.testing.random_weights import SURENESS, cache_folder
from serve.testing.tiny_models.archives import WHISPER, unpack

VERSION = 2
"""Incremented when models of an older version must not be reused."""
END, START, FIRST_LANGUAGE, TRANSLATE, TRANSCRIBE, NO_TIMESTAMPS = 50257, 50258, 50259, 50358, 50359, 50363

LAST_TIME = 1400
"""28 s, in steps of 20 ms."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a Whisper. The vocabulary is that of the models before large-v3, which has one token more."""

    name: str
    encoder_layers: int
    decoder_layers: int
    heads: int
    width: int
    mels: int = 80
    vocabulary: int = 51_865


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("large-v3-turbo", 32, 4, 20, 1280, mels=128),
        Shape("large-v3", 32, 32, 20, 1280, mels=128),
        Shape("small", 12, 12, 12, 768),
        Shape("tiny", 4, 4, 6, 384),
        Shape("smallest", 1, 1, 2, 64),
    )
}
"""`smallest` is no published model: it keeps tests quick."""


def random_whisper(
    shape: Shape, folder: Path | None = None, *, dtype: str = "float16", words: int | None = None, device: str = "cpu"
) -> Path:
    """Make the model; return its folder, which is kept for the next run.

    With `words` it writes that many different words between two times for every sound, and ends; each is one token.
    Weights are drawn on `device`: a GPU is quicker, and draws others.
    """
    import torch
    from transformers import WhisperForConditionalGeneration

    folder = folder or cache_folder()
    target = folder / f"random-{shape.name}-{dtype}-{'mute' if words is None else words}-{device}-{VERSION}"
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(7)
    with torch.device(device):
        model = WhisperForConditionalGeneration(_config(shape))
    model.generation_config = _generation_config(shape)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        source = unpack(WHISPER, Path(work, "tiny"))
        if words is not None:
            _teach(model, _script(source / "tokenizer.json", words))
        made = Path(work, "made")
        model.to(getattr(torch, dtype)).save_pretrained(made)
        shutil.copy(source / "tokenizer.json", made)
        names = {name: "<|endoftext|>" for name in ("unk_token", "bos_token", "eos_token", "pad_token")}
        (made / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "WhisperTokenizer", **names}))
        features = json.loads((source / "preprocessor_config.json").read_text("utf-8")) | {"feature_size": shape.mels}
        (made / "preprocessor_config.json").write_text(json.dumps(features))
        # Another process may have made the same model meanwhile.
        if not target.is_dir():
            made.rename(target)
    return target


_ENDS = {"pad_token_id": END, "bos_token_id": END, "eos_token_id": END, "decoder_start_token_id": START}


def _config(shape: Shape) -> Any:
    from transformers import WhisperConfig

    return WhisperConfig(
        vocab_size=shape.vocabulary,
        d_model=shape.width,
        num_mel_bins=shape.mels,
        encoder_layers=shape.encoder_layers,
        decoder_layers=shape.decoder_layers,
        encoder_attention_heads=shape.heads,
        decoder_attention_heads=shape.heads,
        encoder_ffn_dim=4 * shape.width,
        decoder_ffn_dim=4 * shape.width,
        suppress_tokens=None,
        begin_suppress_tokens=None,
        **_ENDS,
    )


def _generation_config(shape: Shape) -> Any:
    from transformers import GenerationConfig

    return GenerationConfig.from_dict(
        {
            **_ENDS,
            "alignment_heads": [[shape.decoder_layers - 1, head] for head in range(min(shape.heads, 6))],
            "is_multilingual": True,
            "lang_to_id": {"<|en|>": FIRST_LANGUAGE},
            "task_to_id": {"translate": TRANSLATE, "transcribe": TRANSCRIBE},
            "no_timestamps_token_id": NO_TIMESTAMPS,
            "max_length": 448,
        }
    )


def _script(vocabulary: Path, words: int) -> list[int]:
    """What follows each position: language, task, a time, the words, a time and the end."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(vocabulary))
    spoken = [
        token
        for token in range(END)
        # A space before letters: such tokens are words.
        if len(text := tokenizer.decode([token])) > 3 and text[0] == " " and text[1:].isascii() and text[1:].isalpha()
    ]
    chosen = spoken[:: max(1, len(spoken) // words)][:words]
    return [FIRST_LANGUAGE, TRANSCRIBE, NO_TIMESTAMPS + 1, *chosen, NO_TIMESTAMPS + 1 + LAST_TIME, END]


def _teach(model: Any, script: Sequence[int]) -> None:
    """Make each position of the decoder choose its token of the script, and later ones the last."""
    import torch

    decoder = model.model.decoder
    embeddings, positions = decoder.embed_tokens.weight, decoder.embed_positions.weight
    width = embeddings.shape[1]
    direction = {token: torch.randn(width, device=embeddings.device).sign() for token in dict.fromkeys(script)}
    with torch.no_grad():
        for token, wanted in direction.items():
            embeddings[token] = SURENESS / width * wanted
        for position in range(len(positions)):
            positions[position] = direction[script[min(position, len(script) - 1)]]
        # The layers must not drown it out. Their cost does not depend on their weights.
        for layer in decoder.layers:
            for linear in (layer.self_attn.out_proj, layer.encoder_attn.out_proj, layer.fc2):
                linear.weight *= 0.1
