"""Finds the parts of a model's folder and checks its list of tokens, before the runtime sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from serve.tasks.transcription.sherpa.onnx_facts import facts_of
from serve.tasks.transcription.sherpa.problems import (
    LACKS,
    NO_TEXT,
    NOT_NUMBERED,
    OTHER_LIST,
    TOO_LARGE,
    UnusableModel,
)

TOKENS = "tokens.txt"
_ENDINGS = (".int8.onnx", ".onnx")
"""The published folders hold one of the two; 8 bits are smaller and faster on a CPU, so they come first."""
_MAX_TOKENS_BYTES = 16 << 20
_STREAMING_FACTS = ("decode_chunk_len", "window_size", "frame_length_ms")
"""What encoders name that take a piece of the sound at a time: of k2's recipes, of NeMo, of T-one."""


@dataclass(frozen=True, slots=True)
class SherpaFolder:
    """A model that can be loaded, as far as its files tell.

    `files` are its files by their part. `languages` are Whisper codes; empty where it takes every language.
    """

    path: Path
    files: Mapping[str, Path]
    languages: frozenset[str]
    bands: int = 80
    """Height of the spectrum, where the runtime must be told."""
    licence: str = ""
    is_noncommercial: bool = False
    takes_terms: bool = False
    punctuates: bool = True
    pieces: int = 0
    """Tokens that it scores, where that must be checked."""

    def __getitem__(self, part: str) -> str:
        """The path of a part."""
        return str(self.files[part])


def part(folder: Path, stem: str) -> Path | None:
    """The file of a part: `encoder.int8.onnx`, or with more behind the stem, `encoder-epoch-99-avg-1.onnx`."""
    for ending in _ENDINGS:
        if (path := folder / f"{stem}{ending}").is_file():
            return path
    return next((path for ending in _ENDINGS for path in sorted(folder.glob(f"{stem}-*{ending}"))), None)


def has_parts(folder: Path, stems: Iterable[str]) -> bool:
    """Whether the folder holds these parts and a list of tokens."""
    return (folder / TOKENS).is_file() and all(part(folder, stem) is not None for stem in stems)


def parts_of(folder: Path, stems: Iterable[str]) -> dict[str, Path]:
    """The files by part, with the list of tokens as `tokens`. Raises UnusableModel where some are missing."""
    found = {stem: part(folder, stem) for stem in stems}
    found["tokens"] = folder / TOKENS if (folder / TOKENS).is_file() else None
    if missing := [TOKENS if stem == "tokens" else stem for stem, path in found.items() if path is None]:
        raise UnusableModel(LACKS(parts=", ".join(missing)))
    return {stem: path for stem, path in found.items() if path is not None}


def check_count(tokens: Path, facts: Mapping[str, str]) -> None:
    """Refuse a list that is shorter than the model's own `vocab_size`: the runtime looks tokens up by their number.

    Some lists are longer, by marks that only training needs. Raises UnusableModel or OSError.
    """
    listed, pieces = len(tokens_of(tokens)), int(facts.get("vocab_size", "0"))
    if listed < pieces:
        raise UnusableModel(OTHER_LIST(name=tokens.name, listed=listed, pieces=pieces))


def model_type(path: Path | None) -> str:
    """What an ONNX file says that it is; empty where it says nothing or cannot be read."""
    return readable_facts(path).get("model_type", "")


def is_streaming(facts: Mapping[str, str]) -> bool:
    """Whether the model reads sound as it arrives. Their files have the names and types of those that read files."""
    return any(fact in facts for fact in _STREAMING_FACTS)


def readable_facts(path: Path | None) -> dict[str, str]:
    """The metadata of an ONNX file; empty where it cannot be read."""
    if path is None:
        return {}
    try:
        return facts_of(path)
    except (UnusableModel, OSError):
        return {}


def tokens_of(path: Path, *, most: int = 0) -> list[str]:
    """The pieces in the order of their numbers, which each line ends with. Raises UnusableModel or OSError.

    `most` is what the model says about their number, for the sentence.
    """
    if path.stat().st_size > _MAX_TOKENS_BYTES:
        raise UnusableModel(TOO_LARGE(name=path.name, count=most))
    try:
        lines = path.read_text("utf-8").split("\n")
    except UnicodeDecodeError as broken:
        raise UnusableModel(NO_TEXT(name=path.name)) from broken
    # A piece may be a space, and then the number stands alone.
    entries = [line.rsplit(maxsplit=1) for line in lines if line.strip()]
    if not entries or [entry[-1] for entry in entries] != [str(number) for number in range(len(entries))]:
        raise UnusableModel(NOT_NUMBERED(name=path.name))
    return [entry[0] if len(entry) == 2 else " " for entry in entries]
