"""Log probabilities of words, in OpenAI's form. Its tokens are those of a model; ours are words."""

from __future__ import annotations

import math
from collections.abc import Iterable

from api.edges.speech.schemas import Logprob
from pipelines.captions.texts.text import join_words
from serve.tasks.transcription.messages import Segment, Word

_LEAST_CONFIDENCE = 1e-4


def logprobs_of(segments: Iterable[Segment], before: str = "") -> list[Logprob]:
    """One for each word. A token begins with the space before its word; `before` is the text that it follows."""
    found: list[Logprob] = []
    for segment in segments:
        for word in segment.words:
            token = join_words([before, word.text])[len(before) :] if before else word.text
            found.append(_logprob(token, word))
            before = word.text
    return found


def log_probability(confidence: float) -> float:
    return math.log(max(_LEAST_CONFIDENCE, confidence))


def _logprob(token: str, word: Word) -> Logprob:
    return Logprob(token=token, logprob=log_probability(word.confidence), bytes=list(token.encode()))
