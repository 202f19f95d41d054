"""What BLEU and chrF++ count in a sentence, so that any set of sentences can be scored without counting again."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from sacrebleu.metrics.bleu import BLEU

CHARACTERS = 6
WORDS = 2
_MARKS = frozenset(string.punctuation)
_TOKENIZERS = {
    "zh": "zh",
    "zh-TW": "zh",
    "ja": "char",
    "ko": "char",
    "th": "char",
    "lo": "char",
    "km": "char",
    "my": "char",
}


def bleu_parts(answer: str, reference: str, language: str) -> tuple[float, ...]:
    """Lengths, matches and runs of 1 to 4 words, by sacrebleu's tokenizer for the language."""
    found = _bleu(_TOKENIZERS.get(language, "13a")).corpus_score([answer], [[reference]])
    return (found.sys_len, found.ref_len, *found.counts, *found.totals)


def tokenizer_of(language: str) -> str:
    return _TOKENIZERS.get(language, "13a")


@lru_cache
def _bleu(tokenizer: str) -> BLEU:
    return BLEU(tokenize=tokenizer)


def chrf_parts(answer: str, reference: str) -> tuple[float, ...]:
    """Runs, reference runs and matches of 1 to 6 characters and of 1 and 2 words (Popović 2017, chrF++)."""
    parts: list[float] = []
    letters, wanted = ("".join(text.split()) for text in (answer, reference))
    for length in range(1, CHARACTERS + 1):
        parts += _matches(_runs(letters, length), _runs(wanted, length))
    words, spoken = _words(answer), _words(reference)
    for length in range(1, WORDS + 1):
        parts += _matches(_runs(words, length), _runs(spoken, length))
    return tuple(parts)


def _runs(items: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(items[start : start + length]) for start in range(len(items) - length + 1))


def _matches(found: Counter[tuple[str, ...]], wanted: Counter[tuple[str, ...]]) -> tuple[int, int, int]:
    return found.total() if wanted else 0, wanted.total(), (found & wanted).total()


def _words(text: str) -> list[str]:
    """Words with a mark at their end or start cut off, as sacrebleu does."""
    words: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in _MARKS:
            words += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in _MARKS:
            words += [word[0], word[1:]]
        else:
            words.append(word)
    return words
