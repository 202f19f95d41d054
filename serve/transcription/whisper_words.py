"""Asks Whisper when each word of a decoding was said: one more pass of the decoder over the text that is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from serve.messages import AudioWindow
from serve.transcription.encoding import FRAMES_PER_SECOND, Encoded
from serve.transcription.timestamps import Stretch
from serve.transcription.word_times import AlignedWord

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
    """The aligned words of each window. The start of the prompt, with its language, is one for a whole call."""
    result: list[list[AlignedWord]] = [[] for _ in languages]
    for places in _calls(languages, stretches, one_by_one=model.model.device == "cpu"):
        text_tokens = [[token for stretch in stretches[place] for token in stretch.tokens] for place in places]
        frames = [max(FEWEST_FRAMES, windows[place].duration_ms * FRAMES_PER_SECOND // 1000) for place in places]
        found: list[list[dict[str, Any]]] = model.find_alignment(
            tokenizer_of(languages[places[0]]), text_tokens, encoded.rows(places), frames
        )
        for place, words in zip(places, found, strict=True):
            result[place] = _merged(words)
    return result


def _calls(
    languages: Sequence[str], stretches: Sequence[Sequence[Stretch]], *, one_by_one: bool
) -> Iterable[Sequence[int]]:
    """Places of the windows that share a model call; windows without text need none."""
    spoken = [place for place, parts in enumerate(stretches) if any(part.tokens for part in parts)]
    if one_by_one:
        # On a CPU this pass gains nothing from company: base with 110 tokens takes 134 ms for a window alone, 152 ms
        # in a batch of 8, and 220 ms in one of 16.
        return [[place] for place in spoken]
    by_language: dict[str, list[int]] = defaultdict(list)
    for place in spoken:
        by_language[languages[place]].append(place)
    return by_language.values()


def _merged(words: list[dict[str, Any]]) -> list[AlignedWord]:
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
