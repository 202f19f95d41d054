"""A speech engine whose English results get punctuation and capitals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from serve.core.messages import EngineInfo, EngineRefused
from serve.tasks.transcription.annotated import AnnotatedEngine
from serve.tasks.transcription.messages import AudioWindow, Segment, WindowResult
from serve.tasks.transcription.punctuation.restorer import Restorer

if TYPE_CHECKING:
    from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome

LANGUAGE = "en"
"""The one that the model knows."""


class PunctuatedEngine(AnnotatedEngine):
    """Stands around an engine that writes none. Times, words and their number stay."""

    def __init__(self, engine: TranscriptionEngine, restorer: Restorer, sentence: str) -> None:
        """`sentence` says in the record which model restores."""
        super().__init__(engine, sentence)
        self._restorer = restorer

    @property
    def info(self) -> EngineInfo:
        return replace(super().info, punctuates=self.inner.info.languages == {LANGUAGE})

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        return [
            outcome if isinstance(outcome, EngineRefused) else self._restored(outcome)
            for outcome in self.inner.run(batch)
        ]

    def _restored(self, result: WindowResult) -> WindowResult:
        """The window as one text: a pause is not the end of a sentence."""
        if result.language != LANGUAGE:
            return result
        heard = [_words_of(segment) for segment in result.segments]
        written = iter(self._restorer([word for words in heard for word in words]))
        segments = tuple(
            _with_words(segment, [next(written) for _ in words])
            for segment, words in zip(result.segments, heard, strict=True)
        )
        return replace(result, segments=segments)


def _words_of(segment: Segment) -> list[str]:
    return [word.text for word in segment.words] or segment.text.split()


def _with_words(segment: Segment, texts: list[str]) -> Segment:
    words = segment.words and tuple(replace(word, text=text) for word, text in zip(segment.words, texts, strict=True))
    return replace(segment, text=" ".join(texts), words=words)
