"""Transcripts to write about, and the flow over a text model in this process."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from pipelines.flows.minutes.flow import write
from pipelines.flows.minutes.note_taking import TextClient
from pipelines.flows.minutes.sentence_translation import SentenceTranslator
from pipelines.messages.attempt import Attempt, Chunk, Progress, Result
from pipelines.messages.minutes import MinutesRequest, MinutesResult, TextLine
from serve.core.messages import EngineInfo
from serve.tasks.text.messages import SpokenLine, TextItem, TextOutcome
from serve.tasks.translation.messages import Hypothesis, Passage, Translated
from serve.testing.meeting import LINES, TITLE

EVERY_MS = 5_000
HOUR_LINES = 3_600_000 // EVERY_MS


def transcript(spoken: Sequence[SpokenLine] = LINES, *, every_ms: int = EVERY_MS) -> tuple[TextLine, ...]:
    return tuple(
        TextLine(
            id=f"line-{at}", start_ms=at * every_ms, end_ms=at * every_ms + 4_000, text=each.text, speaker=each.speaker
        )
        for at, each in enumerate(spoken)
    )


def long_talk(lines: int) -> tuple[TextLine, ...]:
    """A talk in which every line states a number of its own."""
    spoken = [SpokenLine(f"Topic {at} concerns boat number {at} in the northern harbour.") for at in range(lines)]
    return transcript(spoken)


def minutes_request(type: str, lines: Sequence[TextLine] | None = None, **fields: Any) -> MinutesRequest:
    given = {"language": "en-US", "source_language": "en-US", "title": TITLE, **fields}
    chosen = transcript() if lines is None else tuple(lines)
    return MinutesRequest.model_validate(
        {"file_id": "file", "ai_text_id": "text", "type": type, "lines": chosen, **given}
    )


class CountingWriter:
    """A text client that records its items."""

    def __init__(self, inner: TextClient) -> None:
        self._inner = inner
        self.items: list[TextItem] = []

    def describe(self) -> EngineInfo:
        return self._inner.describe()

    def submit(self, item: TextItem) -> Future[TextOutcome]:
        self.items.append(item)
        return self._inner.submit(item)


class NoTranslator:
    """Where no translation model runs."""

    def describe(self) -> EngineInfo | None:
        return None

    def submit(self, passage: Passage) -> Future[Translated]:
        raise AssertionError("Nothing was to be translated.")


class NumberKeepingTranslator(NoTranslator):
    """Says in another language which sentence this was; `wrong` sentences get another number."""

    def __init__(self, wrong: str = "") -> None:
        self.wrong = wrong

    def describe(self) -> EngineInfo | None:
        return EngineInfo("translation", "test", "test", "cpu", "Test.", frozenset({"en", "is"}))

    def submit(self, passage: Passage) -> Future[Translated]:
        future: Future[Translated] = Future()
        text = "þýtt: " + passage.text.replace("12", "13" if passage.text == self.wrong else "12")
        future.set_result(Translated(passage.index, (Hypothesis(text),)))
        return future


def values(
    request: MinutesRequest,
    writer: TextClient,
    *,
    chunks: dict[str, dict[str, Any]] | None = None,
    translator: SentenceTranslator | None = None,
) -> list[Progress | Chunk | Result]:
    attempt = Attempt("job", 1, Path("unused"), "unused", chunks or {})
    return list(write(request, attempt, client=writer, translator=translator or NoTranslator()))


def written(
    request: MinutesRequest, writer: TextClient, *, translator: SentenceTranslator | None = None
) -> MinutesResult:
    last = values(request, writer, translator=translator)[-1]
    assert isinstance(last, Result)
    assert isinstance(last.payload, MinutesResult)
    return last.payload


def texts(result: MinutesResult) -> list[str]:
    return [sentence.text for block in result.blocks for sentence in block.sentences]
