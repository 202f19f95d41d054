"""Recognises a Parakeet model in sherpa-onnx's form by its files, and checks them before the runtime sees them.

sherpa-onnx ends the whole process where a file lacks something, so each of its requirements is checked here first.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from serve.tasks.transcription.parakeet.languages import languages_of
from serve.tasks.transcription.parakeet.onnx_facts import facts_of
from serve.tasks.transcription.parakeet.problems import (
    LACKS,
    NO_BLANK,
    NO_ENCODER,
    NO_NUMBER,
    NO_TEXT,
    NORMALISED,
    NOT_NUMBERED,
    OTHER_LIST,
    TOO_LARGE,
    UnusableModel,
)

TOKENS = "tokens.txt"
PARTS = ("encoder", "decoder", "joiner")
_ENDINGS = (".int8.onnx", ".onnx")
"""The published folders hold one of the two; 8 bits are smaller and faster on a CPU, so they come first."""
BLANK = "<blk>"
NORMALIZED = ("", "NA", "per_feature")
"""What sherpa-onnx 2.0.1 can do to features."""
_NUMBERS = ("vocab_size", "subsampling_factor", "pred_rnn_layers", "pred_hidden")
_MAX_TOKENS_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class ParakeetFolder:
    """A model that can be loaded. `pieces` counts `<blk>`; `bands` is the height of the spectrum it takes."""

    encoder: Path
    decoder: Path
    joiner: Path
    tokens: Path
    pieces: int
    bands: int
    languages: frozenset[str]


def is_parakeet(folder: Path) -> bool:
    """Whether a folder holds the files of such a model, as far as their names tell."""
    return (folder / TOKENS).is_file() and all(_part(folder, part) is not None for part in PARTS)


def open_folder(folder: Path) -> ParakeetFolder:
    """The model of a folder. Raises UnusableModel or OSError."""
    found = {part: _part(folder, part) for part in PARTS}
    tokens = folder / TOKENS
    missing = [part for part, path in found.items() if path is None] + ([] if tokens.is_file() else [TOKENS])
    encoder, decoder, joiner = (found[part] for part in PARTS)
    if missing or encoder is None or decoder is None or joiner is None:
        raise UnusableModel(LACKS(parts=", ".join(missing)))
    facts = facts_of(encoder)
    numbers = _numbers(encoder.name, facts)
    if (normalized := facts.get("normalize_type", "NA")) not in NORMALIZED:
        raise UnusableModel(NORMALISED(name=encoder.name, kind=normalized))
    _check_tokens(tokens, numbers["vocab_size"])
    for path in (decoder, joiner):
        facts_of(path)
    return ParakeetFolder(
        encoder,
        decoder,
        joiner,
        tokens,
        pieces=numbers["vocab_size"] + 1,
        bands=_positive(encoder.name, "feat_dim", facts["feat_dim"]) if "feat_dim" in facts else 80,
        languages=languages_of(folder.name, facts.get("url", "")),
    )


def _part(folder: Path, part: str) -> Path | None:
    return next((path for ending in _ENDINGS if (path := folder / f"{part}{ending}").is_file()), None)


def _numbers(name: str, facts: dict[str, str]) -> dict[str, int]:
    if missing := [fact for fact in _NUMBERS if fact not in facts]:
        raise UnusableModel(NO_ENCODER(name=name, facts=", ".join(missing)))
    return {fact: _positive(name, fact, facts[fact]) for fact in _NUMBERS}


def _positive(name: str, fact: str, value: str) -> int:
    if not value.isascii() or not value.isdigit() or int(value) == 0:
        raise UnusableModel(NO_NUMBER(name=name, value=value, fact=fact))
    return int(value)


def _check_tokens(path: Path, pieces: int) -> None:
    """Each line is a piece and its number; `<blk>`, which the encoder does not count, is the last."""
    if path.stat().st_size > _MAX_TOKENS_BYTES:
        raise UnusableModel(TOO_LARGE(name=path.name, count=pieces))
    try:
        lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError as broken:
        raise UnusableModel(NO_TEXT(name=path.name)) from broken
    entries = [line.rsplit(maxsplit=1) for line in lines if line.strip()]
    numbers = [entry[-1] for entry in entries]
    if numbers != [str(number) for number in range(len(entries))]:
        raise UnusableModel(NOT_NUMBERED(name=path.name))
    if len(entries) != pieces + 1:
        raise UnusableModel(OTHER_LIST(name=path.name, listed=len(entries), pieces=pieces + 1))
    if entries[-1][0] != BLANK:
        raise UnusableModel(NO_BLANK(name=path.name, blank=BLANK))
