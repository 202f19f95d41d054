"""What a speech system says about a piece of audio, as every side sends it."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.measure.models.child import Json


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """Times in milliseconds; None where the system has none. `confidence` is a probability, or None."""

    text: str
    start_ms: int | None = None
    end_ms: int | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class SpeechAnswer:
    """`language` is the one the system detected or was given; empty when it says none."""

    words: tuple[SpokenWord, ...]
    language: str = ""

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    def as_json(self) -> Json:
        words = [[word.text, word.start_ms, word.end_ms, word.confidence] for word in self.words]
        return {"language": self.language, "words": words}


def read_answer(record: Json) -> SpeechAnswer:
    return SpeechAnswer(tuple(SpokenWord(*word) for word in record["words"]), record["language"])


def milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)
