"""Decodings that are wanted, and the slots of the decode loop that they take. Knows neither torch nor a device."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One decoding of one window.

    `prompt` holds the tokens before the text; `start_of_transcript` is the index in it of the token of that name. With
    `detects_language`, the model's own choice replaces the token after it. `encoded` is the window's encoder output of
    shape (frames, width). A `temperature` of 0 takes the likeliest token of each step.
    """

    prompt: tuple[int, ...]
    start_of_transcript: int
    max_tokens: int
    encoded: Any
    temperature: float = 0.0
    detects_language: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.start_of_transcript < len(self.prompt):
            raise ValueError("The prompt does not hold the start of the transcript.")
        if self.max_tokens < 1:
            raise ValueError("A decoding has one token or more.")
        if self.detects_language and self.start_of_transcript + 1 == len(self.prompt):
            raise ValueError("The prompt has no language to replace.")


@dataclass(frozen=True, slots=True)
class RowResult:
    """Tokens without prompt and end, the sum of the log-probabilities of text and end, and what the first step says.

    `language_probabilities` has one value for each language of the model.
    """

    tokens: tuple[int, ...]
    log_probability: float
    no_speech_probability: float
    language_probabilities: Sequence[float]

    @property
    def average_log_probability(self) -> float:
        """The mean over the text tokens and the closing one."""
        return self.log_probability / (len(self.tokens) + 1)


@dataclass(slots=True)
class Occupied:
    """A row in its slot, and how many steps it has taken."""

    row: Row
    future: Future[RowResult]
    steps: int = 0


@dataclass(slots=True)
class Slots:
    """Rows that wait and rows that run. A finished row's slot goes to the next one that waits."""

    count: int
    _waiting: deque[tuple[Row, Future[RowResult]]] = field(default_factory=deque)
    _occupied: dict[int, Occupied] = field(default_factory=dict)

    def add(self, rows: Iterable[Row]) -> list[Future[RowResult]]:
        added: list[tuple[Row, Future[RowResult]]] = [(row, Future()) for row in rows]
        self._waiting.extend(added)
        return [future for _, future in added]

    @property
    def is_idle(self) -> bool:
        return not self._waiting and not self._occupied

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return len(self._occupied)

    @property
    def used(self) -> int:
        """The highest slot in use, counted from 1: a step computes all slots below it."""
        return max(self._occupied, default=-1) + 1

    @property
    def longest(self) -> int:
        """The steps that the oldest row has taken."""
        return max((each.steps for each in self._occupied.values()), default=0)

    @property
    def draws(self) -> bool:
        """Whether a row draws its tokens at random."""
        return any(each.row.temperature > 0 for each in self._occupied.values())

    def admit(self) -> list[tuple[int, Row]]:
        """Give free slots, the lowest first, to waiting rows, the oldest first; return who got which."""
        admitted = []
        for slot in range(self.count):
            if not self._waiting:
                break
            if slot not in self._occupied:
                row, future = self._waiting.popleft()
                self._occupied[slot] = Occupied(row, future)
                admitted.append((slot, row))
        return admitted

    def advance(self, steps: int) -> None:
        for each in self._occupied.values():
            each.steps += steps

    def release(self, finished: Iterable[tuple[int, RowResult]]) -> None:
        """Hand out results; their slots are free."""
        for slot, result in finished:
            self._occupied.pop(slot).future.set_result(result)

    def fail(self, failure: BaseException, *, waiting: bool) -> None:
        """Give the failure to every running row and, with `waiting`, to those that wait."""
        failed = [each.future for each in self._occupied.values()]
        self._occupied.clear()
        if waiting:
            failed += [future for _, future in self._waiting]
            self._waiting.clear()
        for future in failed:
            future.set_exception(failure)
