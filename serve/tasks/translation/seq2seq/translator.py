"""A seq2seq model as a translator: text in, ranked translations with word attention out, whatever library runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import structlog

from serve.tasks.translation.engine import Sentence
from serve.tasks.translation.guard import is_broken, max_tokens
from serve.tasks.translation.messages import Hypothesis
from serve.tasks.translation.pairs import PairSet
from serve.tasks.translation.seq2seq.form import Seq2SeqForm
from serve.tasks.translation.seq2seq.word_attention import Rows, fold, piece_shares

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = structlog.get_logger(__name__)

HYPOTHESES = 4
"""Also the number of beams."""
LONGEST_SOURCE = 240
"""Tokens of one call. Models were trained on sentences; longer passages are halved, so nothing is cut off."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """One sequence of target tokens. `attention[t][s]` is between them and all source tokens."""

    tokens: list[str]
    log_probability: float
    attention: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Search:
    """How to look for translations. A cautious search is greedy and cannot repeat itself."""

    hypotheses: int
    max_tokens: int
    is_cautious: bool = False


class Decoder(Protocol):
    """Runs a model. `decode` may be called from several threads."""

    def decode(
        self, sources: Sequence[list[str]], prefixes: Sequence[list[str]], search: Search
    ) -> list[list[Decoded]]:
        """Target tokens without prefix and end, the best first."""
        ...

    def rest(self) -> None: ...

    def close(self) -> None: ...


class Seq2SeqTranslator:
    """Encodes, decodes again where the model loops, and folds attention to words."""

    effort = 1

    def __init__(self, name: str, pairs: PairSet, form: Callable[[], Seq2SeqForm], decoder: Decoder) -> None:
        """`form` is called once, with the first sentence."""
        self.name = name
        self.pairs = pairs
        self._make_form = form
        self._form: Seq2SeqForm | None = None
        self._decoder = decoder

    def translate(self, sentences: Sequence[Sentence]) -> list[tuple[Hypothesis, ...]]:
        if self._form is None:
            self._form = self._make_form()
        parts: list[Sentence] = []
        counts = []
        for sentence in sentences:
            pieces = _portions(sentence, self._length)
            parts += pieces
            counts.append(len(pieces))
        results = iter(self._translate(self._form, parts))
        return [_joined([next(results) for _ in range(count)]) for count in counts]

    def rest(self) -> None:
        self._decoder.rest()

    def close(self) -> None:
        self._decoder.close()

    def _length(self, sentence: Sentence) -> int:
        if self._form is None:
            raise RuntimeError("The form of the model is made first.")
        return len(self._form.encode(sentence.text, sentence.source, sentence.target)[0])

    def _translate(self, form: Seq2SeqForm, sentences: Sequence[Sentence]) -> list[tuple[Hypothesis, ...]]:
        found = self._search(form, sentences, is_cautious=False)
        empty = [index for index, hypotheses in enumerate(found) if not hypotheses]
        if empty:
            log.info("translation.decoded_again", model=self.name, passages=len(empty), of=len(sentences))
            again = self._search(form, [sentences[index] for index in empty], is_cautious=True)
            for index, hypotheses in zip(empty, again, strict=True):
                found[index] = hypotheses
        return found

    def _search(
        self, form: Seq2SeqForm, sentences: Sequence[Sentence], *, is_cautious: bool
    ) -> list[tuple[Hypothesis, ...]]:
        encoded = [form.encode(each.text, each.source, each.target) for each in sentences]
        longest = max_tokens(max(len(tokens) for tokens, _, _ in encoded))
        search = Search(1 if is_cautious else HYPOTHESES, longest, is_cautious)
        decoded = self._decoder.decode(
            [tokens for tokens, _, _ in encoded], [prefix for _, _, prefix in encoded], search
        )
        return [
            _usable(form, sentence, tokens, candidates)
            for sentence, (tokens, _, _), candidates in zip(sentences, encoded, decoded, strict=True)
        ]


def _usable(
    form: Seq2SeqForm, sentence: Sentence, source_tokens: list[str], candidates: Sequence[Decoded]
) -> tuple[Hypothesis, ...]:
    """The distinct translations that are neither empty nor loops nor runaways."""
    columns = form.text_pieces(source_tokens)
    source_shares = piece_shares([source_tokens[column] for column in columns], sentence.text.split())
    found: dict[str, Hypothesis] = {}
    for candidate in candidates:
        rows = form.text_pieces(candidate.tokens)
        pieces = [candidate.tokens[row] for row in rows]
        text = form.decode(pieces)
        if text in found or len(pieces) > max_tokens(len(columns)) or is_broken(sentence.text, text):
            continue
        shares = piece_shares(pieces, text.split())
        attention = fold(candidate.attention[rows][:, columns], shares, source_shares)
        found[text] = Hypothesis(text, candidate.log_probability, attention)
    return tuple(found.values())


def _portions(sentence: Sentence, length: Callable[[Sentence], int]) -> list[Sentence]:
    """The sentence, or halves of it until each is short enough, cut after punctuation or at a space."""
    words = sentence.text.split()
    if length(sentence) <= LONGEST_SOURCE or len(words) < 2:
        return [sentence]
    middle = len(words) / 2
    cut = min(
        range(1, len(words)),
        key=lambda index: abs(index - middle) - (len(words) / 4 if words[index - 1][-1] in ".!?;,:" else 0),
    )
    return [
        portion
        for half in (words[:cut], words[cut:])
        for portion in _portions(Sentence(" ".join(half), sentence.source, sentence.target), length)
    ]


def _joined(parts: Sequence[tuple[Hypothesis, ...]]) -> tuple[Hypothesis, ...]:
    """The translations of a passage from those of its portions: of several, the best of each."""
    if len(parts) == 1:
        return parts[0]
    if not all(parts):
        return ()
    best = [hypotheses[0] for hypotheses in parts]
    known = [each.log_probability for each in best if each.log_probability is not None]
    return (
        Hypothesis(
            " ".join(each.text for each in best), sum(known) / len(known) if known else None, _side_by_side(best)
        ),
    )


def _side_by_side(parts: Sequence[Hypothesis]) -> Rows:
    """Attention of consecutive portions: each looks at its own words only."""
    if not all(part.attention for part in parts):
        return ()
    widths = [len(part.attention[0]) for part in parts]
    rows: list[tuple[float, ...]] = []
    for index, part in enumerate(parts):
        before, after = (0.0,) * sum(widths[:index]), (0.0,) * sum(widths[index + 1 :])
        rows += [before + row + after for row in part.attention]
    return tuple(rows)
