"""Whisper models of the true shapes with random weights, as transformers publishes them. Needs torch."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from serve.testing.random_weights import cache_folder
from serve.testing.tiny_models.archives import WHISPER, unpack

VERSION = 1
"""Incremented when models of an older version must not be reused."""
END, START, FIRST_LANGUAGE, TRANSLATE, TRANSCRIBE, NO_TIMESTAMPS = 50257, 50258, 50259, 50358, 50359, 50363


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


def random_whisper(shape: Shape, folder: Path | None = None, *, dtype: str = "float16") -> Path:
    """Make the model; return its folder, which is kept for the next run."""
    import torch
    from transformers import GenerationConfig, WhisperConfig, WhisperForConditionalGeneration

    folder = folder or cache_folder()
    target = folder / f"random-{shape.name}-{dtype}-{VERSION}"
    if target.is_dir():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    ends = {"pad_token_id": END, "bos_token_id": END, "eos_token_id": END, "decoder_start_token_id": START}
    config = WhisperConfig(
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
        **ends,
    )
    torch.manual_seed(7)
    model = WhisperForConditionalGeneration(config).to(getattr(torch, dtype))
    model.generation_config = GenerationConfig.from_dict(
        {
            **ends,
            "alignment_heads": [[shape.decoder_layers - 1, head] for head in range(min(shape.heads, 6))],
            "is_multilingual": True,
            "lang_to_id": {"<|en|>": FIRST_LANGUAGE},
            "task_to_id": {"translate": TRANSLATE, "transcribe": TRANSCRIBE},
            "no_timestamps_token_id": NO_TIMESTAMPS,
            "max_length": 448,
        }
    )
    with tempfile.TemporaryDirectory(dir=folder) as work:
        source = unpack(WHISPER, Path(work, "tiny"))
        made = Path(work, "made")
        model.save_pretrained(made)
        shutil.copy(source / "tokenizer.json", made)
        names = {name: "<|endoftext|>" for name in ("unk_token", "bos_token", "eos_token", "pad_token")}
        (made / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "WhisperTokenizer", **names}))
        features = json.loads((source / "preprocessor_config.json").read_text("utf-8")) | {"feature_size": shape.mels}
        (made / "preprocessor_config.json").write_text(json.dumps(features))
        # Another process may have made the same model meanwhile.
        if not target.is_dir():
            made.rename(target)
    return target
