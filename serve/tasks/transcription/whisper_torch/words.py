"""Words with times from the times of their tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from serve.tasks.transcription.whisper.timestamps import TOKEN_MS
from serve.tasks.transcription.whisper.tokens import Tokenizer
from serve.tasks.transcription.whisper.word_times import AlignedWord
from serve.tasks.transcription.whisper.words import with_punctuation


def words_of(
    tokenizer: Tokenizer, text: Sequence[int], starts: Sequence[int], probabilities: Sequence[float]
) -> list[AlignedWord]:
    """The words of a text.

    `starts` are the encoder frames in which its tokens and the closing one begin, `probabilities` those of its tokens.
    """
    words, tokens = tokenizer.split_to_word_tokens([*text, tokenizer.eot])
    ends = list(accumulate(len(part) for part in tokens[:-1]))
    return with_punctuation(
        [
            AlignedWord(
                text=word,
                start_s=starts[first] * TOKEN_MS / 1000,
                end_s=starts[last] * TOKEN_MS / 1000,
                probability=sum(probabilities[first:last]) / len(part),
                tokens=len(part),
            )
            for word, part, first, last in zip(words[:-1], tokens[:-1], [0, *ends[:-1]], ends, strict=True)
        ]
    )
