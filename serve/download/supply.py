"""Downloads the models that an installation lacks, one after another, and reports the progress."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import structlog

from cluster.sizes import GB, MB
from serve.core.capability import FETCH_EVENT, MODELS_FOLDER, FetchState, ModelFetch
from serve.core.messages import EngineInfo
from serve.core.models.hub_access import why_unreachable
from serve.download.model import download
from serve.download.problems import Damaged, HubAway, HubRefused, NoRoom, Stopped

log = structlog.get_logger(__name__)

ROOT = "<models folder>"
"""Stands in sentences for the models folder."""
MAX_DAMAGED = 3
"""After this many damaged copies of one file it is no accident: a proxy or a mirror changes what it passes on."""
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
        self._show(FetchState.OFF, _OFF, "off")

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
            self._show(FetchState.READY, f"The speech model “{name}” is ready. New files use it.", "ready", last=True)

    def _show(self, state: FetchState, sentence: str, topic: str = "", *, last: bool = False) -> None:
        """Publish the state, and print the first sentence of each topic in the terminal. After `stop` only the last.

        Only the terminal names the models folder: its location on the server is for the administrator alone.
        """
        shown = replace(self._fetch, state=state, sentence=_for_pages(sentence))
        if shown == self._published or (self._stop.is_set() and not last):
            return
        self._fetch = self._published = shown
        self._publish(shown)
        if topic:
            self._announce(topic, sentence)

    def _persist(self, name: str) -> None:
        """Retry until the model has arrived or cannot be downloaded."""
        self._fetch = ModelFetch(name, FetchState.RUNNING, sentence=f"Looking for the speech model “{name}”.")
        wait_s, damaged = self._waits.first_s, 0
        while True:
            self._has_progress = False
            try:
                self._try(name)
                self._show(FetchState.READY, f"The speech model “{name}” has arrived and is being loaded.")
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
                    self._fail(name, _DAMAGED)
                    return
                self._show(
                    FetchState.PAUSED,
                    f"The speech model “{name}” arrived damaged and is being downloaded again.",
                    "damaged",
                )
                self._pause(wait_s)
            except NoRoom as full:
                self._show(FetchState.FAILED, str(full), "room")
                self._pause(self._waits.no_room_s)
            except HubRefused as refused:
                self._fail(name, f"{refused} Or put a faster-whisper model folder in {ROOT}.")
                return
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    self._show(FetchState.FAILED, _DISK_FULL, "room")
                    self._pause(self._waits.no_room_s)
                    continue
                log.info("model.not_written", model=name, error=str(error))
                self._fail(name, f"{ROOT} cannot be written ({error.strerror}). Change its permissions.")
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
                f"The download of the speech model “{fetch.model}” was interrupted at "
                f"{percent_of(fetch.bytes_done, fetch.bytes_total)} %. "
                "It resumes by itself.",
                "interrupted",
            )
        else:
            self._show(FetchState.PAUSED, _UNREACHABLE, "unreachable")

    def _fail(self, name: str, reason: str) -> None:
        self._show(FetchState.FAILED, f"The speech model “{name}” could not be downloaded. {reason}", "failed")

    def _on_progress(self, done: int, total: int) -> None:
        if self._stop.is_set():
            return
        fetch, percent = self._fetch, percent_of(done, total)
        sentence = f"Getting a better speech model: {percent} % of {megabytes(total)}."
        self._fetch = replace(fetch, state=FetchState.RUNNING, bytes_done=done, bytes_total=total, sentence=sentence)
        self._has_progress = self._has_progress or done > fetch.bytes_done
        if not fetch.bytes_total:
            rest = f", {percent} % are here already" if done else ""
            self._announce(
                "begun", f"Getting a better speech model in the background: “{fetch.model}”, {megabytes(total)}{rest}."
            )
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
            log.info(FETCH_EVENT, sentence=sentence.replace(ROOT, str(self._root)))

    def _pause(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise Stopped


_DAMAGED = (
    f"It arrived damaged {MAX_DAMAGED} times and was discarded. Something between here and the hub changes what it "
    f"sends. Put a faster-whisper model folder in {ROOT}, or start Sagascript again to try again."
)
_DISK_FULL = f"The disk is full, so the speech model in {ROOT} is not complete. Make room, and the download resumes."


_UNREACHABLE = (
    f"No model hub can be reached. Put a faster-whisper model folder in {ROOT} to use it. "
    "Until then the built-in engine transcribes English only."
)
_OFF = (
    f"Downloads of speech models are off. Put a faster-whisper model folder in {ROOT} to use it. "
    "Until then the built-in engine transcribes English only."
)


def _for_pages(sentence: str) -> str:
    sentence = sentence.replace(ROOT, MODELS_FOLDER)
    return sentence[:1].upper() + sentence[1:]


def percent_of(done: int, total: int) -> int:
    return done * 100 // total if total else 0


def megabytes(size: int) -> str:
    """A size as people write it, such as `145 MB`."""
    return f"{size / GB:.1f} GB" if size >= GB else f"{max(1, round(size / MB))} MB"
