"""Looks for a model that was missing when a replica started, and loads it beside the running engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import structlog

from serve.models import Found, ModelMissing, TranscriptionChoice, choose_transcription
from serve.profile import TranscriptionProfile
from serve.settings import ModelSettings
from serve.transcription.engine import TranscriptionEngine
from serve.transcription.load import load_chosen

log = structlog.get_logger(__name__)

LOOK_EVERY_S = 3.0

_Signature = tuple[tuple[str, int, int], ...]
"""Path, size and modification time of every file of the models that were found."""


class ModelWatch:
    """A thread that ends when nothing is missing any more, or after `stop`."""

    def __init__(
        self,
        profile: TranscriptionProfile,
        settings: ModelSettings,
        models_root: Path,
        *,
        choice: TranscriptionChoice,
        on_loaded: Callable[[TranscriptionEngine], None],
        on_problem: Callable[[str], None],
        look_every_s: float = LOOK_EVERY_S,
    ) -> None:
        """`choice` is what was loaded. Both callbacks run in the thread."""
        self._profile = profile
        self._settings = settings
        self._root = models_root
        self._choice = choice
        self._on_loaded = on_loaded
        self._on_problem = on_problem
        self._look_every_s = look_every_s
        self._stop = threading.Event()
        self._before: _Signature = ()
        self._failed: _Signature = ()

    def start(self) -> None:
        if self._choice.missing:
            threading.Thread(target=self._watch, name="model-watch", daemon=True).start()

    def stop(self) -> None:
        self._stop.set()

    def _watch(self) -> None:
        while self._choice.missing and not self._stop.wait(self._look_every_s):
            try:
                self._look()
            except (OSError, ModelMissing) as error:
                log.warning("model.watch_failed", error=str(error))

    def _look(self) -> None:
        choice = choose_transcription(self._profile, self._settings, self._root, may_download=False)
        if _folders(choice) == _folders(self._choice):
            return
        signature, before = _signature(choice), self._before
        self._before = signature
        # A folder that somebody is copying into place grows between two looks.
        if signature != before or signature == self._failed:
            return
        try:
            engine = load_chosen(self._profile, self._settings, choice, strict=True)
        except Exception as failure:
            self._failed = signature
            names = ", ".join(found.name for found in _models(choice))
            log.exception("model.not_loaded", models=names)
            self._on_problem(f"The speech model “{names}” is on this machine and cannot be loaded: {failure}.")
            return
        self._choice = choice
        self._on_loaded(engine)


def _models(choice: TranscriptionChoice) -> list[Found]:
    return [*([choice.whisper] if choice.whisper else []), *choice.by_language.values()]


def _folders(choice: TranscriptionChoice) -> list[Path]:
    return [found.path for found in _models(choice)]


def _signature(choice: TranscriptionChoice) -> _Signature:
    files = sorted(path for folder in _folders(choice) for path in folder.iterdir())
    return tuple((str(path), (stat := path.stat()).st_size, stat.st_mtime_ns) for path in files)
