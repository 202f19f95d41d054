"""The thread that takes the decode steps of all running rows.

Rows of any number of `decode` calls share the steps. A row that has finished leaves, and one that waits takes its slot,
so a step stays full while there is work, however long single windows are. All steps are taken in this thread, so no
decode state needs a lock, and CUDA graphs are captured before anything else uses the model.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Protocol

import structlog

from serve.tasks.transcription.whisper_torch.rows import Row, RowResult, Slots

log = structlog.get_logger(__name__)


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

    def __init__(self) -> None:
        super().__init__("The speech model is being stopped.")


class DecodeLoop:
    """Its methods may be called from any thread but its own."""

    def __init__(self, make: Callable[[], Stepper], name: str) -> None:
        """`make` runs in the loop's thread. Raises what it raises."""
        self._changed = threading.Condition()
        self._closed = False
        self.steps = self.row_steps = 0
        """Steps taken, and the sum of the rows in them: how full the steps were."""
        ready: Future[Stepper] = Future()
        self._thread = threading.Thread(target=self._run, args=(make, ready), name=name, daemon=True)
        self._thread.start()
        ready.result()

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
            raise LoopClosed

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
            try:
                self._step(stepper)
            except Exception as failure:
                self._recover(stepper, failure)
        self._end()

    def _wait(self) -> bool:
        """Wait for work. False: the loop is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._slots.is_idle)
            return not self._closed

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
        with self._changed:
            self._slots.fail(LoopClosed(), waiting=True)
