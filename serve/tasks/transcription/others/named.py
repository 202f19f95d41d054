"""The chosen engine, and beside it one other at a time: the one that a request names."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from cluster.resources import available_bytes
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.tasks.transcription.by_language import ByLanguageEngine
from serve.tasks.transcription.messages import AudioWindow, LanguageGuess
from serve.tasks.transcription.models import TranscriptionChoice
from serve.tasks.transcription.others.installed import InstalledEngine
from serve.tasks.transcription.sentences import LOADING, NO_ROOM, NOT_INSTALLED, OTHER_IN_USE, OTHER_NOT_LOADED

if TYPE_CHECKING:
    from serve.tasks.transcription.engine import TranscriptionEngine, WindowOutcome

log = structlog.get_logger(__name__)

KEPT_S = 10.0
"""An engine whose last window ended this long ago makes room for another one."""
TURN_S = 60.0
"""In memory for this long, an engine makes room for another one though its own windows still come."""
LEAVING_S = 30.0
"""So long it takes no windows then. Whoever wanted the other engine may have given up, and it goes on."""
IDLE_S = 600.0
"""An engine that nobody named for this long leaves memory."""
RETRY_S = 2.0
FAILED_S = 30.0
"""So long after a failure, requests are refused without another try."""
MEMORY_FACTOR = 1.3
"""A loaded model takes more than its files: the runtimes keep copies of some weights and room for their work."""


@dataclass(slots=True)
class _Other:
    """The engine in memory, or on its way there."""

    name: str
    engine: TranscriptionEngine | None = None
    users: int = 0
    used_at: float = 0.0
    loaded_at: float = 0.0
    leaving_until: float = 0.0
    failure: str = ""


class OtherEngines:
    """Those of this machine, shared by all engines that the replica has one after another.

    `look` finds them anew. At most one is in memory, and no call waits for its loading: it is refused with a time to
    come back, so that the workers stay free for files that want the chosen engine. Two that are wanted take turns.
    """

    def __init__(
        self,
        find: Callable[[], Sequence[InstalledEngine]],
        load: Callable[[InstalledEngine], TranscriptionEngine],
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._find, self._load, self._now = find, load, now
        self._lock = threading.Lock()
        self._other: _Other | None = None
        self.installed: tuple[InstalledEngine, ...] = ()
        self.look()

    def look(self) -> None:
        self.installed = tuple(self._find())

    def key(self, window: AudioWindow) -> Hashable:
        with self._lock:
            engine = self._loaded(window.options.engine)
        return None if engine is None else engine.batch_key(window)

    def run(self, name: str, batch: Sequence[AudioWindow]) -> Sequence[WindowOutcome]:
        try:
            engine = self._begin(name)
        except EngineRefused as refused:
            return [refused] * len(batch)
        try:
            return engine.run(batch)
        finally:
            with self._lock:
                if self._other is not None:
                    self._other.users -= 1
                    self._other.used_at = self._now()

    def rest(self) -> None:
        with self._lock:
            other = self._other
            if other is None or other.engine is None or other.users:
                return
            if self._now() - other.used_at < IDLE_S:
                other.engine.rest()
                return
            self._other = None
        other.engine.close()
        log.info("engine.unloaded", model=other.name)

    def close(self) -> None:
        with self._lock:
            other, self._other = self._other, None
        if other is not None and other.engine is not None:
            other.engine.close()

    def _loaded(self, name: str) -> TranscriptionEngine | None:
        return self._other.engine if self._other is not None and self._other.name == name else None

    def _begin(self, name: str) -> TranscriptionEngine:
        """The engine, with one user more. Raises EngineRefused while it is not in memory, and begins to load it."""
        with self._lock:
            other = self._other
            if other is not None and other.name == name:
                if self._now() < other.leaving_until:
                    raise EngineRefused(EngineProblem.OVERLOADED, OTHER_IN_USE(name=name), RETRY_S)
                if other.engine is not None:
                    other.users += 1
                    return other.engine
                if not other.failure:
                    raise EngineRefused(EngineProblem.OVERLOADED, LOADING(name=name), RETRY_S)
                if self._now() - other.used_at < FAILED_S:
                    raise EngineRefused(EngineProblem.MODEL_FAILED, other.failure)
            elif other is not None and not self._is_free(other):
                if other.engine is not None and self._now() - other.loaded_at >= TURN_S:
                    other.leaving_until = self._now() + LEAVING_S
                raise EngineRefused(EngineProblem.OVERLOADED, OTHER_IN_USE(name=name), RETRY_S)
            wanted = next((each for each in self.installed if each.name == name), None)
            if wanted is None:
                raise EngineRefused(EngineProblem.BAD_INPUT, NOT_INSTALLED(name=name))
            coming = self._other = _Other(name, used_at=self._now())
        threading.Thread(target=self._bring, args=(wanted, coming, other), name="other-engine", daemon=True).start()
        raise EngineRefused(EngineProblem.OVERLOADED, LOADING(name=name), RETRY_S)

    def _is_free(self, other: _Other) -> bool:
        if other.engine is None:
            return bool(other.failure)
        is_idle = self._now() - other.used_at >= KEPT_S or self._now() < other.leaving_until
        return not other.users and is_idle

    def _bring(self, wanted: InstalledEngine, into: _Other, before: _Other | None) -> None:
        """Load the engine in a thread of its own, after the one before it has left memory."""
        if before is not None and before.engine is not None:
            before.engine.close()
        engine, failure = None, ""
        try:
            needed, free = round(MEMORY_FACTOR * wanted.size_bytes()), available_bytes()
            if free is not None and wanted.info.device == "cpu" and needed > free:
                failure = NO_ROOM(name=wanted.name, needed=needed // 10**6, free=free // 10**6)
            else:
                engine = self._load(wanted)
        except Exception as problem:
            failure = OTHER_NOT_LOADED(name=wanted.name, failure=str(problem))
        with self._lock:
            into.engine, into.failure = engine, failure
            into.used_at = into.loaded_at = self._now()
            is_wanted = self._other is into
        if engine is not None and not is_wanted:
            engine.close()
        if failure:
            log.error("engine.not_loaded", model=wanted.name, error=failure)
        else:
            log.info("engine.loaded_by_request", model=wanted.name)


class NamedEngines:
    """The chosen engine for windows that name none, and the named one for those that do."""

    def __init__(
        self, chosen: TranscriptionEngine, own: Mapping[str, TranscriptionEngine], others: OtherEngines
    ) -> None:
        """`own` are the parts of the chosen engine by the names that requests give them: they are loaded already."""
        self._chosen, self._own, self._others = chosen, own, others
        self.parallel, self.spare_workers = chosen.parallel, chosen.spare_workers
        self.gains_from_batches, self.has_deadline = chosen.gains_from_batches, chosen.has_deadline

    @property
    def info(self) -> EngineInfo:
        return replace(self._chosen.info, others=tuple(each.info for each in self._others.installed))

    def batch_key(self, window: AudioWindow) -> Hashable:
        name = window.options.engine
        engine = self._part(name)
        return name, self._others.key(window) if engine is None else engine.batch_key(window)

    def run(self, batch: Sequence[AudioWindow]) -> Sequence[WindowOutcome]:
        name = batch[0].options.engine
        engine = self._part(name)
        return self._others.run(name, batch) if engine is None else engine.run(batch)

    def detect(self, window: AudioWindow) -> LanguageGuess:
        return self._chosen.detect(window)

    def rest(self) -> None:
        self._chosen.rest()
        self._others.rest()

    def close(self) -> None:
        self._chosen.close()

    def _part(self, name: str) -> TranscriptionEngine | None:
        return self._own.get(name) if name else self._chosen


def parts_by_name(
    chosen: TranscriptionEngine, choice: TranscriptionChoice, installed: Sequence[InstalledEngine]
) -> dict[str, TranscriptionEngine]:
    """The parts of a loaded engine that are installed engines, by the names of these."""
    parts = chosen.engines if isinstance(chosen, ByLanguageEngine) else [chosen]
    found: dict[str, TranscriptionEngine] = {}
    for each in installed:
        folders = {model.path.resolve() for model in each.choice.speech_models}
        same = [model for model in choice.speech_models if model.path.resolve() in folders]
        names = {name for model in same for name in (model.name, str(model.path))}
        for part in parts:
            if part.info.model in names or (not folders and part.info.engine == each.info.engine):
                found[each.name] = part
    return found
