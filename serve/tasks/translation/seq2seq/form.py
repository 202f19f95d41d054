"""The published forms of seq2seq translation models: their files, language tokens and ends."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from serve.core.text.language_codes import canonical, spellings
from serve.tasks.translation.pairs import Pair, PairSet

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

END = "</s>"
SPECIAL = frozenset({"<s>", END, "<pad>", "<unk>"})

SOURCE_PIECES = ("source.spm", "src.spm.model")
TARGET_PIECES = ("target.spm", "tgt.spm.model")
SHARED_PIECES = ("sentencepiece.bpe.model", "spiece.model", "sentencepiece.model", "joint.spm.model")
"""Names of sentencepiece models: of Marian, of quickmt; of M2M100 and NLLB, of MADLAD, of OpenNMT, of quickmt."""

_PAIR = re.compile(r"(?:^|[-_/])([a-z]{2,3})[-_]([a-z]{2,3})(?=$|[-_](?:ct2|hf|int8|float16|bfloat16|int8_float16)\b)")


class Form(StrEnum):
    """How a model is told its languages."""

    M2M100 = "m2m100"
    """`__en__` before the source, `__is__` before the target."""
    NLLB = "nllb"
    """`eng_Latn` before the source, `isl_Latn` before the target."""
    MADLAD = "madlad"
    """`<2is>` before the source."""
    MARIAN_MANY = "marian-many"
    """`>>isl<<` before the source: a Marian model with one source language and several targets."""
    PAIR = "pair"
    """Not at all: the model knows one pair."""


_TOKENS = {
    Form.M2M100: re.compile(r"^__([a-z]{2,3})__$"),
    Form.NLLB: re.compile(r"^([a-z]{3}_[A-Z][a-z]{3})$"),
    Form.MADLAD: re.compile(r"^<2([a-z]{2,3}(?:_[A-Za-z]+)?)>$"),
    Form.MARIAN_MANY: re.compile(r"^>>([a-z]{3}(?:_[A-Za-z]+)?)<<$"),
}
_ENOUGH = 2
"""This many language tokens make a form; a single look-alike may be a word."""


def form_of(vocabulary: Iterable[str]) -> tuple[Form, dict[str, str]]:
    """The form of a vocabulary, and its language tokens by canonical language."""
    found: dict[Form, dict[str, str]] = {form: {} for form in _TOKENS}
    for token in vocabulary:
        if not token or (token[0] not in "_<>" and not token[0].islower()):
            continue
        for form, pattern in _TOKENS.items():
            if (match := pattern.match(token)) is not None:
                found[form].setdefault(canonical(match[1]), token)
    form = max(found, key=lambda each: len(found[each]))
    if len(found[form]) < _ENOUGH:
        return Form.PAIR, {}
    return form, found[form]


def pair_of_name(name: str) -> Pair | None:
    """The pair in a model's name: `quickmt-en-is`, `Helsinki-NLP/opus-mt-en-is`, `opus-mt-en-is-ct2`."""
    matches = _PAIR.findall(name)
    if not matches:
        return None
    source, target = matches[-1]
    return canonical(source), canonical(target)


@dataclass(frozen=True, slots=True)
class Seq2SeqForm:
    """How text becomes the tokens of one model and back. Threads may share it."""

    form: Form
    tokens: Mapping[str, str]
    source_pieces: SentencePieceProcessor
    target_pieces: SentencePieceProcessor
    appends_end: bool
    """Whether the source needs its end token from us."""

    def encode(self, text: str, source: str, target: str) -> tuple[list[str], int, list[str]]:
        """Source tokens, how many of the first are no text, and the target's prefix."""
        pieces: list[str] = self.source_pieces.encode(text, out_type=str)
        before: list[str] = []
        prefix: list[str] = []
        match self.form:
            case Form.M2M100 | Form.NLLB:
                before, prefix = [self._token(source)], [self._token(target)]
            case Form.MADLAD | Form.MARIAN_MANY:
                before = [self._token(target)]
            case Form.PAIR:
                pass
        return [*before, *pieces, *([END] if self.appends_end else [])], len(before), prefix

    def decode(self, pieces: Sequence[str]) -> str:
        # Some models write a space of their own kind inside a piece.
        text: str = self.target_pieces.decode(list(pieces)).replace("▁", " ")
        return " ".join(text.split())

    def text_pieces(self, tokens: Sequence[str]) -> list[int]:
        """Indexes of the tokens that are text."""
        others = {*SPECIAL, *self.tokens.values()}
        return [index for index, token in enumerate(tokens) if token not in others]

    def _token(self, language: str) -> str:
        return next(self.tokens[each] for each in spellings(language) if each in self.tokens)


def pairs_of(form: Form, tokens: Mapping[str, str], name: str) -> PairSet:
    """The pairs a model of this name and form translates; none when neither says."""
    pair = pair_of_name(name)
    match form:
        case Form.PAIR:
            return PairSet(single=frozenset({pair} if pair else ()))
        case Form.MARIAN_MANY:
            source = pair[0] if pair else None
            return PairSet(single=frozenset((source, target) for target in tokens) if source else frozenset())
        case _:
            return PairSet(mutual=frozenset(tokens))


def load_pieces(folder: Path) -> tuple[SentencePieceProcessor, SentencePieceProcessor]:
    """The sentencepiece models of source and target."""
    from sentencepiece import SentencePieceProcessor

    shared = first_file(folder, SHARED_PIECES)
    if shared is not None:
        both = SentencePieceProcessor(model_file=str(shared))
        return both, both
    source, target = first_file(folder, SOURCE_PIECES), first_file(folder, TARGET_PIECES)
    if source is None or target is None:
        raise FileNotFoundError(f"{folder} has no sentencepiece model.")
    return SentencePieceProcessor(model_file=str(source)), SentencePieceProcessor(model_file=str(target))


def has_pieces(folder: Path) -> bool:
    """Whether the sentencepiece models of a translation model are there."""
    has_both = first_file(folder, SOURCE_PIECES) is not None and first_file(folder, TARGET_PIECES) is not None
    return has_both or first_file(folder, SHARED_PIECES) is not None


def first_file(folder: Path, names: Sequence[str]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)
