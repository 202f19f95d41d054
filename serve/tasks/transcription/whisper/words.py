"""Finds when each word of a decoding was spoken: one more pass of the decoder over the known text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from serve.tasks.transcription.messages import AudioWindow
from serve.tasks.transcription.whisper.encoding import FRAMES_PER_SECOND, Encoded
from serve.tasks.transcription.whisper.timestamps import Stretch
from serve.tasks.transcription.whisper.word_times import AlignedWord

if TYPE_CHECKING:
    from faster_whisper import WhisperModel
    from faster_whisper.tokenizer import Tokenizer

JOINED_TO_NEXT = "\"'“¿([{-"
JOINED_TO_LAST = "\"'.。,，!！?？:：”)]}、"
WITHOUT_SPACES = frozenset({"zh", "ja", "th", "lo", "my", "yue"})
"""Languages whose words the tokenizer does not mark with spaces (faster-whisper splits them by characters)."""
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
    from faster_whisper.transcribe import merge_punctuations

    merge_punctuations(words, JOINED_TO_NEXT, JOINED_TO_LAST)
    return [
        AlignedWord(
            text=word["word"],
            start_s=float(word["start"]),
            end_s=float(word["end"]),
            probability=float(word["probability"]),
            tokens=len(word["tokens"]),
        )
        for word in words
    ]
