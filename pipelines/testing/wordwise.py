"""A translator that changes every word on its own: exact attention, and no model to load.

`house` becomes `hóúsé`, so a test sees which source word each target word comes from. What a real engine may do on top
of it (drop or add words, lose numbers, return garbage, refuse) is a function over its answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from pipelines.messages.translate import SourceLine
from serve.core.messages import EngineInfo, EngineRefused, LanguagePair
from serve.tasks.translation.messages import Hypothesis, Passage, Translated

Change = Callable[[Passage, Translated], Translated | EngineRefused]

_ACCENTS = str.maketrans("aeiouAEIOU", "áéíóúÁÉÍÓÚ")

WORDWISE = EngineInfo(
    task="translation",
    engine="wordwise",
    model="accents",
    device="cpu",
    reason="test",
    pairs=frozenset({LanguagePair("en", "is"), LanguagePair("en", "es")}),
)


def accented(text: str) -> str:
    return text.translate(_ACCENTS)


def wordwise(passage: Passage) -> Translated:
    """One hypothesis with a probability that falls with the length of the text."""
    words = passage.text.split()
    return answer(passage, [accented(word) for word in words], list(range(len(words))))


def answer(passage: Passage, words: list[str], sources: list[int]) -> Translated:
    """Words of a translation, each of which comes from the source word with the index in `sources`."""
    count = len(passage.text.split())
    attention = tuple(tuple(float(index == source) for index in range(count)) for source in sources)
    return Translated(passage.index, (Hypothesis(" ".join(words), -len(passage.text) / 1000, attention),))


class WordwiseClient:
    """`TranslationClient` over the translator. `change` replaces its answers; it may raise or wait."""

    def __init__(self, change: Change = lambda _, translated: translated, info: EngineInfo = WORDWISE) -> None:
        self.passages: list[Passage] = []
        self.most_at_once = 0
        self._change = change
        self._info = info
        self._lock = threading.Lock()
        self._open: set[Future[Translated]] = set()
        self._pool = ThreadPoolExecutor(4)

    def describe(self) -> EngineInfo:
        return self._info

    def submit(self, item: Passage) -> Future[Translated]:
        with self._lock:
            self.passages.append(item)
            future = self._pool.submit(self._run, item)
            self._open = {each for each in self._open if not each.done()} | {future}
            self.most_at_once = max(self.most_at_once, len(self._open))
        return future

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)

    def _run(self, passage: Passage) -> Translated:
        translated = self._change(passage, wordwise(passage))
        if isinstance(translated, EngineRefused):
            raise translated
        return translated


def source_lines(*texts: str, ms: int = 2_500, gap_ms: int = 100) -> tuple[SourceLine, ...]:
    """A line for each text, one after the other, named `a`, `b`, ... A text `Anna| Hello.` names its speaker."""
    lines = []
    for index, text in enumerate(texts):
        speaker, bar, said = text.partition("| ")
        start = index * (ms + gap_ms)
        name = chr(ord("a") + index) if index < 26 else f"n{index}"
        lines.append(
            SourceLine(
                id=name, start_ms=start, end_ms=start + ms, text=said if bar else text, speaker=speaker if bar else None
            )
        )
    return tuple(lines)
