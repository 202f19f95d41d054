"""Recognises a folder that holds a translation model, without loading it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from serve.tasks.translation.pairs import PairSet
from serve.tasks.translation.seq2seq.form import Form, first_file, form_of, has_pieces, pairs_of

CT2 = "ct2"
TRANSFORMERS = "transformers"

MODEL_TYPES = frozenset({"marian", "m2m_100", "t5", "nllb-moe"})
"""Model types of transformers whose forms we know."""
NON_COMMERCIAL_LICENCE = re.compile(r"\bnc\b|non-?commercial", re.IGNORECASE)
NLLB_LICENCE = "cc-by-nc-4.0"

_SHARED_VOCABULARY = ("shared_vocabulary.json", "shared_vocabulary.txt")
_SOURCE_VOCABULARY = ("source_vocabulary.json", "source_vocabulary.txt")
_LICENCE = re.compile(r"^license:\s*[\"']?([\w.+-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A translation model on disk. `engine` is `ct2` or `transformers`; `licence` is empty when it is unknown."""

    name: str
    path: Path
    engine: str
    form: Form
    tokens: dict[str, str]
    pairs: PairSet
    size_bytes: int
    appends_end: bool
    licence: str = ""

    @property
    def is_non_commercial(self) -> bool:
        return bool(NON_COMMERCIAL_LICENCE.search(self.licence))


def recognise(path: Path, name: str = "") -> ModelFolder | None:
    """The translation model in a folder; None when there is none. `name` is its name, by default the folder's."""
    if not (path / "config.json").is_file() or not has_pieces(path):
        return None
    # The deployment looks every few seconds, and a vocabulary of 256,000 tokens takes 0.1 s to read.
    files = tuple(
        (file.name, (status := file.stat()).st_size, status.st_mtime_ns)
        for file in sorted(path.iterdir())
        if file.is_file()
    )
    return _recognise(path, name or path.name, files)


@lru_cache(maxsize=256)
def _recognise(path: Path, name: str, _: tuple[tuple[str, int, int], ...]) -> ModelFolder | None:
    """The model of a folder whose files have these names, sizes and times."""
    try:
        config = json.loads((path / "config.json").read_text("utf-8"))
        if (path / "model.bin").is_file() and (vocabulary := _ct2_vocabulary(path)) is not None:
            return _folder(name, path, CT2, vocabulary, ["model.bin"], appends_end=_needs_end(config))
        if config.get("model_type") in MODEL_TYPES:
            weights = sorted(file.name for file in path.glob("*.safetensors")) or ["pytorch_model.bin"]
            if (path / weights[0]).is_file():
                return _folder(name, path, TRANSFORMERS, _transformers_vocabulary(path), weights, appends_end=True)
    except (OSError, ValueError):
        # A folder that is being written, or somebody else's: no model of ours.
        return None
    return None


def _folder(
    name: str, path: Path, engine: str, vocabulary: list[str], weights: list[str], *, appends_end: bool
) -> ModelFolder:
    form, tokens = form_of(vocabulary)
    return ModelFolder(
        name=name,
        path=path,
        engine=engine,
        form=form,
        tokens=tokens,
        pairs=pairs_of(form, tokens, name),
        size_bytes=sum((path / weight).stat().st_size for weight in weights),
        appends_end=appends_end,
        licence=_licence(path) or (NLLB_LICENCE if form is Form.NLLB else ""),
    )


def _ct2_vocabulary(path: Path) -> list[str] | None:
    """None for a model that does not translate: speech and chat models have a `vocabulary.json`."""
    file = first_file(path, (*_SHARED_VOCABULARY, *_SOURCE_VOCABULARY))
    if file is None:
        return None
    text = file.read_text("utf-8")
    return [str(token) for token in json.loads(text)] if file.suffix == ".json" else text.split("\n")


def _transformers_vocabulary(path: Path) -> list[str]:
    """Language tokens that a folder names: those of M2M100 stand in the tokenizer's program instead."""
    tokens: list[str] = []
    if (path / "vocab.json").is_file():
        tokens += json.loads((path / "vocab.json").read_text("utf-8"))
    for name in ("tokenizer_config.json", "special_tokens_map.json", "added_tokens.json"):
        if (path / name).is_file():
            tokens += _strings(json.loads((path / name).read_text("utf-8")))
    return tokens


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, inner in value.items() for text in (key, *_strings(inner))]
    if isinstance(value, list):
        return [text for inner in value for text in _strings(inner)]
    return []


def _needs_end(config: dict[str, Any]) -> bool:
    """Models converted from transformers expect `</s>` from the tokenizer, those of OpenNMT expect none."""
    return not config.get("add_source_eos", False) and config.get("decoder_start_token") != "<s>"


def _licence(path: Path) -> str:
    """The licence in the front matter of the model's card."""
    card = path / "README.md"
    if not card.is_file():
        return ""
    match = _LICENCE.search(card.read_text("utf-8", errors="replace")[:4000])
    return match[1].lower() if match else ""
