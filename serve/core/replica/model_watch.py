"""Looks for better models than those a replica loaded when it started, and loads them beside the running engine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import structlog

from serve.core.models.model_files import ModelMissing
from serve.core.sentences import NOT_LOADED
from serve.core.task import ModelTask

log = structlog.get_logger(__name__)

LOOK_EVERY_S = 3.0
LOOK_RARELY_S = 30.0
"""Pause while no model is missing: somebody may still get a better one."""

_Signature = tuple[tuple[str, int, int], ...]
"""Path, size and modification time of every file of the models found."""


class OnDisk(Protocol):
    """A model on this machine."""

    @property
    def name(self) -> str: ...

    @property
    def path(self) -> Path: ...


class Choice(Protocol):
    """Which models of a task to load."""

    @property
    def missing(self) -> Sequence[str]:
        """Names of better models that are not on this machine."""
        ...

    @property
    def models(self) -> Sequence[OnDisk]:
        """The models that were found."""
        ...


ChoiceT = TypeVar("ChoiceT", bound=Choice)
EngineT = TypeVar("EngineT")


class ModelWatch(Generic[ChoiceT, EngineT]):
    """A thread that runs until `stop`."""

    def __init__(
        self,
        task: ModelTask[Any, Any],
        choice: ChoiceT,
        *,
        choose: Callable[[], ChoiceT],
        load: Callable[[ChoiceT], EngineT],
        on_loaded: Callable[[EngineT], None],
        on_problem: Callable[[str], None],
        look_every_s: float = LOOK_EVERY_S,
        look_rarely_s: float = LOOK_RARELY_S,
    ) -> None:
        """`choice` is what was loaded; `load` raises when a model cannot be loaded. All callbacks run in the thread."""
        self._task = task
        self._choice = choice
        self._choose = choose
        self._load = load
        self._on_loaded = on_loaded
        self._on_problem = on_problem
        self._look_every_s = look_every_s
        self._look_rarely_s = look_rarely_s
        self._stop = threading.Event()
        self._before: _Signature = ()
        self._failed: _Signature = ()

    def start(self) -> None:
        threading.Thread(target=self._watch, name="model-watch", daemon=True).start()

    def stop(self) -> None:
        self._stop.set()

    def _watch(self) -> None:
        while not self._stop.wait(self._look_every_s if self._choice.missing else self._look_rarely_s):
            try:
                self._look()
            except (OSError, ModelMissing) as error:
                log.warning("model.watch_failed", error=str(error))

    def _look(self) -> None:
        choice = self._choose()
        if _folders(choice) == _folders(self._choice):
            return
        signature, before = _signature(choice), self._before
        self._before = signature
        # A folder that is still being copied grows between two looks.
        if signature != before or signature == self._failed:
            return
        try:
            engine = self._load(choice)
        except Exception as failure:
            self._failed = signature
            names = ", ".join(found.name for found in choice.models)
            log.exception("model.not_loaded", models=names)
            self._on_problem(NOT_LOADED(model=self._task.model, names=names, failure=str(failure)))
            return
        self._choice = choice
        self._on_loaded(engine)


def _folders(choice: Choice) -> list[Path]:
    return [found.path for found in choice.models]


def _signature(choice: Choice) -> _Signature:
    files = sorted(path for folder in _folders(choice) for path in folder.iterdir())
    return tuple((str(path), (stat := path.stat()).st_size, stat.st_mtime_ns) for path in files)
