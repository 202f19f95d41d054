"""The few tokens the phrase book uses, numbered from 0, so that training touches no other row.

The other rows of Whisper's 51 865 stay zero in the finished model. Their share of the softmax is then exactly one extra
constant logit, ln(number of unused rows), so training on the compact vocabulary is training the full model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from serve.testing.tiny_models.tokenizer import END_OF_TEXT, FIRST_TIMESTAMP, VOCABULARY_SIZE

UNKNOWN = -1
"""Compact id of any token outside the phrase book (its embedding is zero)."""


@dataclass(frozen=True, slots=True)
class CompactVocabulary:
    """`token_ids[compact id]` is Whisper's id."""

    token_ids: tuple[int, ...]
    compact_ids: dict[int, int]

    @classmethod
    def covering(cls, text_tokens: Iterable[int]) -> CompactVocabulary:
        """The text tokens given, all special tokens and all timestamps."""
        token_ids = (*sorted(set(text_tokens)), *range(END_OF_TEXT, VOCABULARY_SIZE))
        return cls(token_ids, {token: index for index, token in enumerate(token_ids)})

    @property
    def unused_logit(self) -> float:
        """ln of the number of rows left out."""
        return math.log(VOCABULARY_SIZE - len(self.token_ids))

    @property
    def first_timestamp(self) -> int:
        return self.compact_ids[FIRST_TIMESTAMP]
