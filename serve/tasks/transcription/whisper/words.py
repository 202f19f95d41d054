"""Finds when each word of a decoding was spoken: one more pass of the decoder over the known text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from serve.tasks.transcription.messages import AudioWindow
from serve.tasks.transcription.whisper.encoding import FRAMES_PER_SECOND, Encoded
from serve.tasks.transcription.whisper.timestamps import Stretch
from serve.tasks.transcription.whisper.tokens import Tokenizer
from serve.tasks.transcription.whisper.word_times import AlignedWord

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

JOINED_TO_NEXT = "\"'“¿([{-"
JOINED_TO_LAST = "\"'.。,，!！?？:：”)]}、"
FEWEST_FRAMES = 10


def align(
    model: WhisperModel,
    tokenizer_of: Callable[[str], Tokenizer],
    encoded: Encoded,
    languages: Sequence[str],
    stretches: Sequence[Sequence[Stretch]],
    windows: Sequence[AudioWindow],
) -> list[list[AlignedWord]]:
    """The aligned words of each window. A call has one start of the prompt, and so one language."""
    result: list[list[AlignedWord]] = [[] for _ in languages]
    for indexes in _calls(languages, stretches, one_by_one=model.model.device == "cpu"):
        text_tokens = [[token for stretch in stretches[index] for token in stretch.tokens] for index in indexes]
        frames = [max(FEWEST_FRAMES, windows[index].duration_ms * FRAMES_PER_SECOND // 1000) for index in indexes]
        found: list[list[dict[str, Any]]] = model.find_alignment(
            tokenizer_of(languages[indexes[0]]), text_tokens, encoded.rows(indexes), frames
        )
        for index, words in zip(indexes, found, strict=True):
            result[index] = merged(words)
    return result


def _calls(
    languages: Sequence[str], stretches: Sequence[Sequence[Stretch]], *, one_by_one: bool
) -> Iterable[Sequence[int]]:
    """Indexes of the windows that share a model call; windows without text need none."""
    spoken = [index for index, parts in enumerate(stretches) if any(part.tokens for part in parts)]
    if one_by_one:
        # On a CPU this pass gains nothing from batches: base with 110 tokens takes 134 ms for a window alone, 152 ms
        # in a batch of 8, and 220 ms in one of 16.
        return [[index] for index in spoken]
    by_language: dict[str, list[int]] = defaultdict(list)
    for index in spoken:
        by_language[languages[index]].append(index)
    return by_language.values()


def merged(words: list[dict[str, Any]]) -> list[AlignedWord]:
    """Words of faster-whisper's alignment with their punctuation."""
    return with_punctuation(
        [
            AlignedWord(
                text=word["word"],
                start_s=float(word["start"]),
                end_s=float(word["end"]),
                probability=float(word["probability"]),
                tokens=len(word["tokens"]),
            )
            for word in words
        ]
    )


def with_punctuation(words: Sequence[AlignedWord]) -> list[AlignedWord]:
    """Opening marks joined to the word after them, closing ones to the word before.

    A word keeps its own times. What was joined stays in its place without text and tokens.
    """
    joined = list(words)
    target = len(joined) - 1
    for index in range(len(joined) - 2, -1, -1):
        mark = joined[index].text
        if mark.startswith(" ") and mark.strip() in JOINED_TO_NEXT:
            word = joined[target]
            joined[target] = replace(word, text=mark + word.text, tokens=joined[index].tokens + word.tokens)
            joined[index] = replace(joined[index], text="", tokens=0)
        else:
            target = index
    target = 0
    for index in range(1, len(joined)):
        mark, word = joined[index].text, joined[target]
        if not word.text.endswith(" ") and mark in JOINED_TO_LAST:
            joined[target] = replace(word, text=word.text + mark, tokens=word.tokens + joined[index].tokens)
            joined[index] = replace(joined[index], text="", tokens=0)
        else:
            target = index
    return joined
