"""Translates selected sentences where the text engine cannot write in the language of the text."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Protocol

from pipelines.ai_text.claims import Tongues
from pipelines.flows.minutes.note_taking import YIELD_EVERY_S
from serve.core.messages import EngineInfo
from serve.tasks.translation.messages import Passage, Translated


class SentenceTranslator(Protocol):
    """What the flow needs from the translation deployment."""

    def describe(self) -> EngineInfo | None:
        """The engine; None where none runs."""
        ...

    def submit(self, passage: Passage) -> Future[Translated]: ...


def translations(
    texts: Sequence[str], stream: str, tongues: Tongues, translator: SentenceTranslator
) -> Generator[None, None, dict[str, str]]:
    """The best translation of each text. Yields now and then, so that the attempt can be stopped.

    Raises EngineRefused.
    """
    waiting: dict[Future[Translated], str] = {}
    found: dict[str, str] = {}
    try:
        for index, text in enumerate(dict.fromkeys(texts)):
            waiting[translator.submit(Passage(stream, index, tongues.source, tongues.text, text))] = text
        while waiting:
            done, _ = wait(waiting, timeout=YIELD_EVERY_S, return_when=FIRST_COMPLETED)
            for future in done:
                found[waiting.pop(future)] = future.result().hypotheses[0].text
            yield
    finally:
        for future in waiting:
            future.cancel()
    return found
