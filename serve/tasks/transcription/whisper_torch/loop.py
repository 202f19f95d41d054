"""The thread that owns the model's device: decode steps over all running rows, and other calls between them.

Rows of any number of `decode` calls share the steps. A row that has finished leaves, and one that waits takes its slot,
so a step stays full while there is work, however long single windows are. Everything that touches the device runs in
this thread, so nothing on it needs a lock, and CUDA graphs are captured while nothing else runs.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

import structlog

from serve.tasks.transcription.whisper_torch.rows import Row, RowResult, Slots

log = structlog.get_logger(__name__)

Result = TypeVar("Result")


class Stepper(Protocol):
    """The device's side of the loop."""

    slots: int
    steps_per_look: int
    """Steps between two looks at which rows have finished; each look waits for the device."""

    def admit(self, rows: Sequence[tuple[int, Row]]) -> None:
        """Start these rows in their slots."""
        ...

    def advance(self, *, used: int, longest: int, draws: bool) -> None:
        """Take `steps_per_look` steps with the slots below `used`, none of which has taken more than `longest`."""
        ...

    def finished(self, used: int) -> Iterable[tuple[int, RowResult]]:
        """Slots whose rows have finished since the last call, and their results."""
        ...

    def reset(self) -> None:
        """Forget every row, after a failure."""
        ...


class LoopClosed(RuntimeError):
    """The model is being stopped."""


class DecodeLoop:
    """Its methods may be called from any thread but its own."""

    def __init__(self, make: Callable[[], Stepper], name: str) -> None:
        """`make` runs in the loop's thread. Raises what it raises."""
        self._calls: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self.steps = self.row_steps = 0
        """Steps taken, and the sum of the rows in them: how full the steps were."""
        ready: Future[Stepper] = Future()
        self._thread = threading.Thread(target=self._run, args=(make, ready), name=name, daemon=True)
        self._thread.start()
        ready.result()

    def call(self, work: Callable[[], Result]) -> Result:
        """Run `work` between two looks; return what it returns or raise what it raises."""
        future: Future[Result] = Future()
        with self._changed:
            self._refuse_when_closed()
            self._calls.append((work, future))
            self._changed.notify()
        return future.result()

    def decode(self, rows: Sequence[Row]) -> list[RowResult]:
        """The results of the rows in their order. A failure of the device is raised."""
        with self._changed:
            self._refuse_when_closed()
            futures = self._slots.add(rows)
            self._changed.notify()
        return [future.result() for future in futures]

    def close(self) -> None:
        """Refuse what waits and end the thread after the step it is in."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise LoopClosed("The speech model is being stopped.")

    def _run(self, make: Callable[[], Stepper], ready: Future[Stepper]) -> None:
        try:
            stepper = make()
        except BaseException as failure:
            self._closed = True
            ready.set_exception(failure)
            return
        self._slots = Slots(stepper.slots)
        ready.set_result(stepper)
        while self._wait():
            self._run_one_call()
            try:
                self._step(stepper)
            except Exception as failure:
                self._recover(stepper, failure)
        self._end()

    def _wait(self) -> bool:
        """Wait for work. False: the loop is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._calls or not self._slots.is_idle)
            return not self._closed

    def _run_one_call(self) -> None:
        with self._changed:
            if not self._calls:
                return
            work, future = self._calls.popleft()
        try:
            result = work()
        except BaseException as failure:
            future.set_exception(failure)
        else:
            future.set_result(result)

    def _step(self, stepper: Stepper) -> None:
        with self._changed:
            admitted = self._slots.admit()
        if admitted:
            stepper.admit(admitted)
        if not (running := self._slots.running):
            return
        used = self._slots.used
        stepper.advance(used=used, longest=self._slots.longest, draws=self._slots.draws)
        self._slots.advance(stepper.steps_per_look)
        self.steps += stepper.steps_per_look
        self.row_steps += stepper.steps_per_look * running
        finished = list(stepper.finished(used))
        with self._changed:
            self._slots.release(finished)

    def _recover(self, stepper: Stepper, failure: Exception) -> None:
        """Fail the running rows. A device that cannot be reset takes no more work."""
        with self._changed:
            self._slots.fail(failure, waiting=False)
        try:
            stepper.reset()
        except Exception as broken:
            log.error("engine.device_lost", error=str(broken))
            with self._changed:
                self._closed = True

    def _end(self) -> None:
        refusal = LoopClosed("The speech model is being stopped.")
        with self._changed:
            self._slots.fail(refusal, waiting=True)
            calls = list(self._calls)
            self._calls.clear()
        for _, future in calls:
            future.set_exception(refusal)
