"""The passages of one job on their way to the translation model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Protocol

from serve.core.messages import EngineInfo
from serve.tasks.translation.messages import Passage, Translated


class TranslationClient(Protocol):
    """What the flow needs from the `Translator` deployment.

    Refusals are raised as `EngineRefused`. The client, not the flow, waits for an overloaded model.
    """

    def describe(self) -> EngineInfo: ...

    def submit(self, item: Passage) -> Future[Translated]: ...


class PassageSender:
    """Sends each text once: equal texts of a job share one answer, so the same words get the same translation.

    An answer is forgotten with its last use. With its attention it takes about 30 KB.
    """

    def __init__(self, client: TranslationClient, texts: Iterable[str]) -> None:
        """`texts` are those of all passages that may be sent, with repetitions."""
        self._client = client
        self._uses = Counter(texts)
        self._shared: dict[str, Future[Translated]] = {}
        self._open: set[Future[Translated]] = set()

    def send(self, passage: Passage) -> Future[Translated]:
        """The answer for a passage, maybe that of an earlier one with the same text."""
        text = passage.text
        self._uses[text] -= 1
        answer = self._shared.get(text)
        if answer is None:
            answer = self.send_alone(passage)
        if self._uses[text] > 0:
            self._shared[text] = answer
        else:
            self._shared.pop(text, None)
        return answer

    def send_alone(self, passage: Passage) -> Future[Translated]:
        """The answer for this passage only."""
        answer = self._client.submit(passage)
        self._open = {each for each in self._open if not each.done()} | {answer}
        return answer

    def cancel(self) -> None:
        for answer in self._open:
            answer.cancel()
