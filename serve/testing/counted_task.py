"""A model task whose calls are written down, and whose model hangs when a piece says so: for checks of replicas.

Its deployment is the product's own. Only the computation is simple, so that each call can be counted.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from ray.serve import Application

from serve.core.client import ModelClient
from serve.core.messages import EngineInfo
from serve.core.replica.deployment import ModelReplica, model_application
from serve.core.replica.deployment_profile import DeploymentProfile
from serve.core.settings import ModelSettings
from serve.core.task import ModelTask
from serve.core.task_deployment import TaskDeployment
from serve.profile import Profile

CALLS_FILE = "calls"
HANGS_FILE = "hangs"
HELD_FILE, RELEASED_FILE = "held", "released"
_FOREVER_S = 3600


class Hang(StrEnum):
    """How a call hangs, once for each folder: the next call with the same piece works."""

    NO = ""
    NEVER_RETURNS = "never returns"
    """As a call to a device that does not answer: other threads run on."""
    HOLDS_INTERPRETER = "holds the interpreter"
    """As a native call that does not release Python's lock: the process answers nobody."""
    UNTIL_RELEASED = "until released"
    """It works as long as its piece says, or until `release` says that it may end."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One item of a file. A call takes `ms` for each piece."""

    file: str
    number: int
    ms: int = 0
    hang: Hang = Hang.NO


@dataclass(frozen=True, slots=True)
class Counted:
    """`model` and `replica` (a process number) say who did it, `batch_size` how many pieces were in the call."""

    file: str
    number: int
    model: str
    replica: int
    batch_size: int


class CountedProfile(DeploymentProfile):
    live = DeploymentProfile.live | {"max_queued_pieces"}

    folder: Path
    model: str = "first"
    max_queued_pieces: int = 100_000

    @property
    def max_queued(self) -> int:
        return self.max_queued_pieces


def _file(piece: Piece) -> str:
    return piece.file


def _cost(piece: Piece) -> int:
    # What is held must not look stuck.
    return piece.ms if piece.hang is Hang.UNTIL_RELEASED else 1


def counted_task(name: str = "counted") -> ModelTask[Piece, Counted]:
    return ModelTask(
        name=name,
        model="counting model",
        material="count",
        items="pieces",
        stream=_file,
        cost=_cost,
        expected_speed=1_000.0,
        slowest_speed=1.0,
        call_overhead=0,
    )


class CountedEngine:
    """Adds a line to `CALLS_FILE` for each piece that it finishes. The model `missing` does not load."""

    gains_from_batches = True
    has_deadline = False
    spare_workers = 0

    def __init__(self, profile: CountedProfile, name: str) -> None:
        if profile.model == "missing":
            raise RuntimeError("There is no such model.")
        self.parallel = profile.workers or 1
        self.info = EngineInfo(name, "counting", profile.model, "cpu", "It was named.")
        self._folder = profile.folder
        self._model = profile.model

    def batch_key(self, item: Piece) -> bool:
        return item.hang is not Hang.NO

    def run(self, batch: Sequence[Piece]) -> list[Counted]:
        for piece in batch:
            if piece.hang is Hang.UNTIL_RELEASED:
                self._work_until_released(piece)
            elif piece.hang and self._is_first(piece.hang):
                _hang(piece.hang)
        time.sleep(sum(piece.ms for piece in batch if piece.hang is not Hang.UNTIL_RELEASED) / 1000)
        lines = "".join(f"{piece.file} {piece.number}\n" for piece in batch)
        with (self._folder / CALLS_FILE).open("a") as calls:
            calls.write(lines)
        return [Counted(piece.file, piece.number, self._model, os.getpid(), len(batch)) for piece in batch]

    def rest(self) -> None:
        """Nothing to free."""

    def close(self) -> None:
        """Nothing to free."""

    def _work_until_released(self, piece: Piece) -> None:
        (self._folder / HELD_FILE).touch()
        deadline = time.monotonic() + piece.ms / 1000
        while not (self._folder / RELEASED_FILE).exists() and time.monotonic() < deadline:
            time.sleep(0.01)

    def _is_first(self, hang: Hang) -> bool:
        try:
            (self._folder / f"{HANGS_FILE} {self.info.task} {hang}").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


class CountingReplica(ModelReplica[CountedEngine]):
    def __init__(self, profile: CountedProfile, name: str) -> None:
        super().__init__(counted_task(name), CountedEngine(profile, name), profile.limits)


def calls_of(folder: Path) -> Counter[tuple[str, int]]:
    """How often each piece, by file and number, was computed to its end."""
    path = folder / CALLS_FILE
    lines = path.read_text().splitlines() if path.exists() else []
    return Counter((file, int(number)) for file, number in (line.split() for line in lines))


def holds(folder: Path) -> bool:
    """Whether a piece is at work that waits to be released."""
    return (folder / HELD_FILE).exists()


def release(folder: Path) -> None:
    (folder / RELEASED_FILE).touch()


def counted_application(profile: CountedProfile, name: str = "counted") -> Application:
    return model_application(CountingReplica, profile, profile, name)


def counted_deployment() -> TaskDeployment[CountedProfile]:
    """The task as one of an installation, for a `TaskWatch`."""
    task = counted_task()

    def explain(section: CountedProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
        return EngineInfo(task.name, "counting", section.model, "cpu", "It was named.")

    def build_app(
        section: CountedProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
    ) -> Application:
        return counted_application(section)

    return TaskDeployment(
        task=task, section_type=CountedProfile, title="Counting", explain=explain, build_app=build_app
    )


class CountedClient(ModelClient[Piece, Counted]):
    """A client of the task."""


class ProfileWithCounted(Profile):
    counted: CountedProfile | None = None


def profile_with(section: CountedProfile) -> ProfileWithCounted:
    return ProfileWithCounted(name="test", counted=section)


def _hang(hang: Hang) -> None:
    wait: Callable[[int], object] = threading.Event().wait
    if hang is Hang.HOLDS_INTERPRETER:
        # Functions of a PyDLL run without releasing the lock.
        wait = ctypes.PyDLL(None).sleep
    wait(_FOREVER_S)
