"""Models that are in memory only while in use, with one memory bound for all of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import structlog


class Unloadable(Protocol):
    """A model that can leave memory and come back."""

    size_bytes: int

    @property
    def is_loaded(self) -> bool: ...

    def load(self) -> None: ...

    def unload(self) -> None: ...


log = structlog.get_logger(__name__)

IDLE_S = 600.0
"""Unload a model after this long without use; the next file in its language then waits some seconds for it."""

LOOK_AGAIN_S = 0.02
"""Pause before another try to make room. CTranslate2 silently keeps a model that any thread touches at that moment:
`unload_model` only tries its lock, and nothing signals its release. Without retries every caller waited forever."""


class ModelMemory:
    """Keeps track of the models in memory. Loading waits for room; a model larger than the bound is loaded alone."""

    def __init__(self, bound_bytes: int, *, idle_s: float = IDLE_S, now: Callable[[], float] = time.monotonic) -> None:
        self._bound = bound_bytes
        self._idle_s = idle_s
        self._now = now
        self._changed = threading.Condition()
        self._models: dict[str, Unloadable] = {}
        self._users: dict[str, int] = {}
        self._used_at: dict[str, float] = {}

    def add(self, name: str, model: Unloadable) -> None:
        """Add a model; if it is loaded, it stays in memory only if it fits beside the others."""
        with self._changed:
            self._models[name], self._users[name], self._used_at[name] = model, 0, self._now()
            if model.is_loaded and self._loaded_bytes() > self._bound:
                self._unload(name)

    @contextmanager
    def using(self, name: str) -> Iterator[None]:
        """Keep the model in memory inside this context."""
        model = self._models[name]
        with self._changed:
            self._users[name] += 1
        try:
            with self._changed:
                while not model.is_loaded and not self._make_room(model.size_bytes):
                    self._changed.wait(LOOK_AGAIN_S)
                if not model.is_loaded:
                    model.load()
                    log.info("model.loaded", name=name, megabytes=model.size_bytes // 2**20)
            yield
        finally:
            with self._changed:
                self._users[name] -= 1
                self._used_at[name] = self._now()
                self._changed.notify_all()

    def rest(self) -> None:
        """Unload models that have been idle for long."""
        with self._changed:
            for name, model in self._models.items():
                if model.is_loaded and not self._users[name] and self._now() - self._used_at[name] >= self._idle_s:
                    self._unload(name)
            self._changed.notify_all()

    def _make_room(self, size_bytes: int) -> bool:
        """Whether a model of this size fits now. Unloads unused models, the least recently used first."""
        for name in sorted(self._models, key=self._used_at.__getitem__):
            if self._loaded_bytes() + size_bytes <= self._bound:
                break
            if self._models[name].is_loaded and not self._users[name]:
                self._unload(name)
        loaded = self._loaded_bytes()
        return loaded + size_bytes <= self._bound or not loaded

    def _loaded_bytes(self) -> int:
        return sum(model.size_bytes for model in self._models.values() if model.is_loaded)

    def _unload(self, name: str) -> None:
        self._models[name].unload()
        if not self._models[name].is_loaded:
            log.info("model.unloaded", name=name)
