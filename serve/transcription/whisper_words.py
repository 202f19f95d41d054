"""Asks Whisper when each word of a decoding was said, one model call for all windows of a language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from serve.messages import SAMPLE_RATE
from serve.transcription.encoding import Encoded
from serve.transcription.timestamps import Stretch
from serve.transcription.word_times import AlignedWord

if TYPE_CHECKING:
    import numpy as np
    from faster_whisper import WhisperModel
    from faster_whisper.tokenizer import Tokenizer
    from numpy.typing import NDArray

JOINED_TO_NEXT = "\"'“¿([{-"
JOINED_TO_LAST = "\"'.。,，!！?？:：”)]}、"
WITHOUT_SPACES = frozenset({"zh", "ja", "th", "lo", "my", "yue"})
"""Languages whose words the tokenizer does not mark with spaces (faster-whisper splits them by characters)."""
FRAMES_PER_SECOND = 100
FEWEST_FRAMES = 10


def align(
    model: WhisperModel,
    tokenizer_of: Callable[[str], Tokenizer],
    encoded: Encoded,
    languages: Sequence[str],
    stretches: Sequence[Sequence[Stretch]],
    waves: Sequence[NDArray[np.float32]],
) -> list[list[AlignedWord]]:
    """The aligned words of each window. The start of the prompt, with its language, is one for a whole call."""
    from faster_whisper.transcribe import merge_punctuations

    by_language: dict[str, list[int]] = defaultdict(list)
    for place, language in enumerate(languages):
        if any(stretch.tokens for stretch in stretches[place]):
            by_language[language].append(place)
    result: list[list[AlignedWord]] = [[] for _ in languages]
    for language, places in by_language.items():
        text_tokens = [[token for stretch in stretches[place] for token in stretch.tokens] for place in places]
        frames = [max(FEWEST_FRAMES, len(waves[place]) * FRAMES_PER_SECOND // SAMPLE_RATE) for place in places]
        found: list[list[dict[str, Any]]] = model.find_alignment(
            tokenizer_of(language), text_tokens, encoded.rows(places), frames
        )
        for place, words in zip(places, found, strict=True):
            merge_punctuations(words, JOINED_TO_NEXT, JOINED_TO_LAST)
            result[place] = [
                AlignedWord(
                    text=word["word"],
                    start_s=float(word["start"]),
                    end_s=float(word["end"]),
                    probability=float(word["probability"]),
                    tokens=len(word["tokens"]),
                )
                for word in words
            ]
    return result
