"""People who signed in before an upgrade and go on asking for their files while it happens."""

from __future__ import annotations

import threading
import time
from typing import Any, Self

import httpx2

from cluster.testing.patience import PATIENCE_S

PEOPLE = 4
_REST_S = 0.05
_NONE = 0
"""No answer: nobody listens yet."""
_AWAY = (httpx2.ConnectError, httpx2.ReadError, httpx2.RemoteProtocolError)


class Visitors:
    """`answered`: when each had the first answer. `wrong`: statuses that nobody should get; 0 where nobody listened."""

    def __init__(self, url: str, known: dict[str, Any], people: int = PEOPLE) -> None:
        self._url, self._cookies = url, known["cookies"]
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._visit, daemon=True) for _ in range(people)]
        self.began = time.monotonic()
        self.answered: list[float] = []
        self.wrong: list[int] = []

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def leave(self) -> None:
        """End, once everybody has had an answer. Raises `TimeoutError`."""
        deadline = time.monotonic() + PATIENCE_S
        while len(self.answered) < len(self._threads):
            if time.monotonic() > deadline:
                raise TimeoutError(f"Only {len(self.answered)} of {len(self._threads)} people were answered.")
            time.sleep(_REST_S)
        self.__exit__()

    @property
    def down_s(self) -> float:
        """How long after the first question everybody had an answer."""
        return max(self.answered) - self.began

    def _visit(self) -> None:
        """Before the first answer the server may be away or say that it starts; after it, never."""
        has_answer = False
        with httpx2.Client(base_url=self._url, cookies=self._cookies, trust_env=False, timeout=PATIENCE_S) as browser:
            while not self._over.wait(_REST_S):
                try:
                    status = browser.get("/api/files").status_code
                except _AWAY:
                    status = _NONE
                if status == 200 and not has_answer:
                    has_answer = True
                    self.answered.append(time.monotonic())
                elif status != 200 and (has_answer or status not in (_NONE, 503)):
                    self.wrong.append(status)
