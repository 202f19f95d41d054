"""Downloads the models that an installation lacks, one after another, and reports the progress."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import structlog

from cluster.sentences import paragraph
from cluster.sizes import GB, MB
from cluster.wording.message import Wording, replaced
from serve.core.capability import FETCH_EVENT, MODELS_FOLDER, FetchState, ModelFetch
from serve.core.messages import EngineInfo
from serve.core.models.hub_access import why_unreachable
from serve.download.model import download
from serve.download.problems import Damaged, HubAway, HubRefused, NoRoom, Stopped

log = structlog.get_logger(__name__)

ROOT = "<models folder>"
"""Stands in sentences for the models folder."""

READY = Wording("supply.ready", "The speech model “{name}” is ready. New files use it.")
LOOKING = Wording("supply.looking", "Looking for the speech model “{name}”.")
ARRIVED = Wording("supply.arrived", "The speech model “{name}” has arrived and is being loaded.")
DAMAGED_ONCE = Wording(
    "supply.damaged_once", "The speech model “{name}” arrived damaged and is being downloaded again."
)
INTERRUPTED = Wording(
    "supply.interrupted",
    "The download of the speech model “{name}” was interrupted at {percent} %. It resumes by itself.",
)
NOT_DOWNLOADED = Wording("supply.not_downloaded", "The speech model “{name}” could not be downloaded.")
BY_HAND = Wording("supply.by_hand", "Or put a faster-whisper model folder in {root}.")
NOT_WRITTEN = Wording("supply.not_written", "Sagascript cannot write into {root} ({problem}). Change its permissions.")
PROGRESS = Wording("supply.progress", "Getting a better speech model: {percent} % of {size}.")
BEGUN = Wording("supply.begun", "Getting a better speech model in the background: “{name}”, {size}.")
CONTINUED = Wording(
    "supply.continued",
    "Getting a better speech model in the background: “{name}”, {size}, {percent} % are here already.",
)
DAMAGED = Wording(
    "supply.damaged",
    "It arrived damaged {count} times and was discarded. Something between here and the hub changes what it "
    "sends. Put a faster-whisper model folder in {root}, or start Sagascript again to try again.",
)
DISK_FULL = Wording(
    "supply.disk_full",
    "The disk is full, so the speech model in {root} is not complete. Make room, and the download resumes.",
)
UNREACHABLE = Wording(
    "supply.unreachable",
    "No model hub can be reached. Put a faster-whisper model folder in {root} to use it. "
    "The built-in engine transcribes English only.",
)
OFF = Wording(
    "supply.off",
    "Downloads of speech models are off. Put a faster-whisper model folder in {root} to use it. "
    "The built-in engine transcribes English only.",
)
MAX_DAMAGED = 3
"""After this many damaged copies of one file it is no accident: a proxy or a mirror changes what it passes on."""
_MEGABYTES = Wording("supply.megabytes", "{size} MB")
_GIGABYTES = Wording("supply.gigabytes", "{size:.1f} GB")
_MILESTONE = 25
"""Percent of progress between two lines in the terminal."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds before a retry: doubled from the first to the longest, and starting over after progress."""

    first_s: float = 1.0
    longest_s: float = 300.0
    no_room_s: float = 60.0


class ModelSupply:
    """Downloads `names` into the models folder. `run` blocks; call it in a thread of its own."""

    def __init__(
        self,
        names: Sequence[str],
        models_root: Path,
        *,
        publish: Callable[[ModelFetch], None],
        hub_timeout_s: float,
        waits: Waits | None = None,
    ) -> None:
        """`publish` gets every state, and each percent of progress; it must not raise."""
        self._names = names
        self._root = models_root
        self._hub_timeout_s = hub_timeout_s
        self._waits = waits or Waits()
        self._publish = publish
        self._stop = threading.Event()
        self._fetch = ModelFetch("", FetchState.RUNNING)
        self._announced: set[str] = set()
        self._has_progress = False
        self._published: ModelFetch | None = None

    def stop(self) -> None:
        """Make `run` return soon. Arrived data stays."""
        self._stop.set()

    def run(self) -> None:
        """Returns when every model has arrived or failed, or after `stop`."""
        for name in self._names:
            self._announced.clear()
            try:
                self._persist(name)
            except Stopped:
                return

    def decline(self) -> None:
        """Download nothing, and say what to put where."""
        self._fetch = ModelFetch(self._names[-1], FetchState.OFF)
        self._show(FetchState.OFF, OFF(root=ROOT), "off")

    def observe(self, loaded: EngineInfo, *, is_complete: bool) -> None:
        """Report how the replicas loaded a model that arrived or was put there by hand, or why they could not.

        `is_complete`: no model is missing any more, so there is nothing to download.
        """
        fetch = self._fetch
        if loaded.problem:
            self._show(FetchState.FAILED, loaded.problem, loaded.problem)
        elif is_complete or fetch.state is FetchState.READY:
            name = fetch.model if fetch.state is FetchState.READY else PurePath(loaded.model).name
            if is_complete:
                self.stop()
            self._fetch = replace(fetch, model=name)
            self._show(FetchState.READY, READY(name=name), "ready", last=True)

    def _show(self, state: FetchState, sentence: str, topic: str = "", *, last: bool = False) -> None:
        """Publish the state, and print the first sentence of each topic in the terminal. After `stop` only the last.

        Only the terminal names the models folder: its location on the server is for the administrator alone.
        """
        shown = replace(self._fetch, state=state, sentence=replaced(sentence, ROOT, MODELS_FOLDER))
        if shown == self._published or (self._stop.is_set() and not last):
            return
        self._fetch = self._published = shown
        self._publish(shown)
        if topic:
            self._announce(topic, sentence)

    def _persist(self, name: str) -> None:
        """Retry until the model has arrived or cannot be downloaded."""
        self._fetch = ModelFetch(name, FetchState.RUNNING, sentence=LOOKING(name=name))
        wait_s, damaged = self._waits.first_s, 0
        while True:
            self._has_progress = False
            try:
                self._try(name)
                self._show(FetchState.READY, ARRIVED(name=name))
                return
            except HubAway as away:
                log.info("model.hub_away", model=name, error=str(away))
                if self._has_progress:
                    wait_s = self._waits.first_s
                self._show_away()
                self._pause(max(wait_s, away.retry_after_s or 0.0))
            except Damaged as error:
                damaged += 1
                log.info("model.damaged", model=name, error=str(error), times=damaged)
                if damaged == MAX_DAMAGED:
                    self._fail(name, DAMAGED(count=MAX_DAMAGED, root=ROOT))
                    return
                self._show(
                    FetchState.PAUSED,
                    DAMAGED_ONCE(name=name),
                    "damaged",
                )
                self._pause(wait_s)
            except NoRoom as full:
                self._show(FetchState.FAILED, str(full), "room")
                self._pause(self._waits.no_room_s)
            except HubRefused as refused:
                self._fail(name, paragraph(str(refused), BY_HAND(root=ROOT)))
                return
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    self._show(FetchState.FAILED, DISK_FULL(root=ROOT), "room")
                    self._pause(self._waits.no_room_s)
                    continue
                log.info("model.not_written", model=name, error=str(error))
                self._fail(name, NOT_WRITTEN(root=ROOT, problem=str(error.strerror)))
                return
            wait_s = min(self._waits.longest_s, wait_s * 2)

    def _try(self, name: str) -> None:
        if not self._fetch.bytes_total and (problem := why_unreachable(self._hub_timeout_s)) is not None:
            raise HubAway(problem)
        download(name, self._root, progress=self._on_progress, stop=self._stop)

    def _show_away(self) -> None:
        fetch = self._fetch
        if fetch.bytes_total:
            self._show(
                FetchState.PAUSED,
                INTERRUPTED(name=fetch.model, percent=percent_of(fetch.bytes_done, fetch.bytes_total)),
                "interrupted",
            )
        else:
            self._show(FetchState.PAUSED, UNREACHABLE(root=ROOT), "unreachable")

    def _fail(self, name: str, reason: str) -> None:
        self._show(FetchState.FAILED, paragraph(NOT_DOWNLOADED(name=name), reason), "failed")

    def _on_progress(self, done: int, total: int) -> None:
        if self._stop.is_set():
            return
        fetch, percent = self._fetch, percent_of(done, total)
        sentence = PROGRESS(percent=percent, size=megabytes(total))
        self._fetch = replace(fetch, state=FetchState.RUNNING, bytes_done=done, bytes_total=total, sentence=sentence)
        self._has_progress = self._has_progress or done > fetch.bytes_done
        if not fetch.bytes_total:
            facts = {"name": fetch.model, "size": megabytes(total)}
            self._announce("begun", CONTINUED(**facts, percent=percent) if done else BEGUN(**facts))
        elif percent == percent_of(fetch.bytes_done, total) and done < total:
            return
        self._published = self._fetch
        self._publish(self._fetch)
        milestone = percent // _MILESTONE * _MILESTONE
        if 0 < milestone < 100:
            self._announce(str(milestone), sentence)

    def _announce(self, topic: str, sentence: str) -> None:
        if topic not in self._announced:
            self._announced.add(topic)
            log.info(FETCH_EVENT, sentence=str(replaced(sentence, ROOT, str(self._root))))

    def _pause(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise Stopped


def percent_of(done: int, total: int) -> int:
    return done * 100 // total if total else 0


def megabytes(size: int) -> str:
    """A size as people write it, such as `145 MB`."""
    return _GIGABYTES(size=size / GB) if size >= GB else _MEGABYTES(size=max(1, round(size / MB)))
