"""The decode loop without a model: who runs in which step, and what happens when the device fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from serve.tasks.transcription.whisper_torch.loop import DecodeLoop, LoopClosed
from serve.tasks.transcription.whisper_torch.rows import Row, RowResult, Slots


def row(tokens: int, *, name: int = 0) -> Row:
    """A row that ends after this many tokens."""
    return Row(prompt=(name,), start_of_transcript=0, max_tokens=tokens, encoded=None)


@dataclass
class CountingStepper:
    """A device whose rows end after `max_tokens` steps. It keeps who took part in each step, by the prompt's token."""

    slots: int = 2
    steps_per_look: int = 1
    fails_in_step: int | None = None
    is_broken: bool = False
    held: threading.Event = field(default_factory=threading.Event)
    """Rows start when it is set."""
    steps: list[list[int]] = field(default_factory=list)
    _rows: dict[int, tuple[Row, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.held.set()

    def admit(self, rows: Sequence[tuple[int, Row]]) -> None:
        self.held.wait()
        for slot, each in rows:
            assert slot not in self._rows
            self._rows[slot] = each, 0

    def advance(self, *, used: int, longest: int, draws: bool) -> None:
        for _ in range(self.steps_per_look):
            if len(self.steps) == self.fails_in_step:
                self.fails_in_step = None
                raise RuntimeError("out of memory")
            active = {slot: (each, steps + 1) for slot, (each, steps) in self._rows.items() if steps < each.max_tokens}
            assert all(slot < used for slot in active)
            self.steps.append([each.prompt[0] for _, (each, _) in sorted(active.items())])
            self._rows |= active

    def finished(self, used: int) -> Iterable[tuple[int, RowResult]]:
        done = [slot for slot, (each, steps) in self._rows.items() if steps >= each.max_tokens]
        return [(slot, RowResult(self._rows.pop(slot)[0].prompt, -1.0, 0.0, ())) for slot in done]

    def reset(self) -> None:
        if self.is_broken:
            raise RuntimeError("the device is gone")
        self._rows.clear()


@pytest.fixture
def start() -> Iterator[Callable[[CountingStepper], DecodeLoop]]:
    loops: list[DecodeLoop] = []

    def started(stepper: CountingStepper) -> DecodeLoop:
        loops.append(DecodeLoop(lambda: stepper, "test"))
        return loops[-1]

    yield started
    for loop in loops:
        loop.close()


def test_a_finished_row_makes_room_for_one_that_waits(start: Callable[[CountingStepper], DecodeLoop]) -> None:
    stepper = CountingStepper()
    loop = start(stepper)
    results = loop.decode([row(4, name=1), row(1, name=2), row(2, name=3), row(1, name=4)])
    assert [result.tokens for result in results] == [(1,), (2,), (3,), (4,)]
    assert stepper.steps == [[1, 2], [1, 3], [1, 3], [1, 4]]
    assert (loop.steps, loop.row_steps) == (4, 8)


def test_rows_of_several_callers_share_the_steps(start: Callable[[CountingStepper], DecodeLoop]) -> None:
    stepper = CountingStepper(slots=8)
    loop = start(stepper)
    stepper.held.clear()
    with ThreadPoolExecutor(3) as callers:
        # The device is busy until both of the others wait.
        busy = callers.submit(loop.decode, [row(1)])
        while loop._slots.running < 1:
            time.sleep(0.001)
        first, second = (callers.submit(loop.decode, [row(3, name=name), row(2, name=name)]) for name in (1, 2))
        while loop._slots.waiting < 4:
            time.sleep(0.001)
        stepper.held.set()
        assert busy.result()
        assert len(first.result()) == len(second.result()) == 2
    assert [sorted(names) for names in stepper.steps] == [[0], [1, 1, 2, 2], [1, 1, 2, 2], [1, 2]]


def test_rows_that_end_between_two_looks_leave_at_the_second(start: Callable[[CountingStepper], DecodeLoop]) -> None:
    stepper = CountingStepper(slots=1, steps_per_look=4)
    assert len(start(stepper).decode([row(2, name=1), row(1, name=2)])) == 2
    assert stepper.steps == [[1], [1], [], [], [2], [], [], []]


def test_a_failing_step_fails_its_rows_and_no_later_ones(start: Callable[[CountingStepper], DecodeLoop]) -> None:
    loop = start(CountingStepper(fails_in_step=1))
    with pytest.raises(RuntimeError, match="out of memory"):
        loop.decode([row(3)])
    assert loop.decode([row(2, name=5)])[0].tokens == (5,)


def test_a_device_that_cannot_be_reset_takes_no_more_work(start: Callable[[CountingStepper], DecodeLoop]) -> None:
    loop = start(CountingStepper(slots=1, fails_in_step=0, is_broken=True))
    with pytest.raises(RuntimeError, match="out of memory"):
        loop.decode([row(3), row(3)])
    with pytest.raises(LoopClosed):
        loop.decode([row(1)])


def test_closing_refuses_what_waits_and_what_comes() -> None:
    with closing(DecodeLoop(CountingStepper, "test")) as loop:
        assert loop.decode([row(1)])
    with pytest.raises(LoopClosed):
        loop.decode([row(1)])


def test_a_model_that_cannot_be_loaded_raises_in_the_caller() -> None:
    def fail() -> CountingStepper:
        raise OSError("no such model")

    with pytest.raises(OSError, match="no such model"):
        DecodeLoop(fail, "test")


def test_slots_are_given_from_the_lowest_so_that_steps_stay_small() -> None:
    slots = Slots(4)
    slots.add([row(1, name=name) for name in range(6)])
    assert [slot for slot, _ in slots.admit()] == [0, 1, 2, 3]
    assert slots.admit() == []
    slots.release([(slot, RowResult((), 0.0, 0.0, ())) for slot in (1, 3)])
    assert slots.used == 3
    assert [(slot, each.prompt[0]) for slot, each in slots.admit()] == [(1, 4), (3, 5)]
    slots.advance(7)
    slots.release([(0, RowResult((), 0.0, 0.0, ()))])
    assert (slots.used, slots.running, slots.longest, slots.draws) == (4, 3, 7, False)


@pytest.mark.parametrize(
    "wrong",
    [
        {"prompt": (), "start_of_transcript": 0, "max_tokens": 1},
        {"prompt": (1,), "start_of_transcript": 1, "max_tokens": 1},
        {"prompt": (1,), "start_of_transcript": 0, "max_tokens": 0},
        {"prompt": (1,), "start_of_transcript": 0, "max_tokens": 1, "detects_language": True},
    ],
)
def test_a_row_that_cannot_be_decoded_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"prompt|token"):
        Row(encoded=None, **wrong)  # type: ignore[arg-type]
