"""Fetches the models that an installation lacks, one after another, until they are there; says how far it is."""

from __future__ import annotations

import errno
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from serve.download.hub import why_unreachable
from serve.download.model import download
from serve.download.problems import Damaged, HubAway, HubRefused, NoRoom, Stopped
from serve.download.state import FetchState, ModelFetch, write_fetch

log = structlog.get_logger(__name__)

FETCH_EVENT = "model.fetch"
"""Log event of what people should see in the terminal; its field `sentence` is shown as it is."""
MAX_DAMAGED = 3
"""Damaged arrivals of one file after which it is no chance: a proxy or a mirror changes what passes through it."""
_MILESTONE = 25
"""Percent between two lines in the terminal."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds before the next try: doubled from the first to the longest, and from the start again after progress."""

    first_s: float = 1.0
    longest_s: float = 300.0
    no_room_s: float = 60.0


class ModelSupply:
    """Fetches `names` into the models folder. `run` blocks; call it in a thread of its own."""

    def __init__(
        self,
        names: Sequence[str],
        models_root: Path,
        *,
        hub_timeout_s: float,
        waits: Waits | None = None,
        on_fetched: Callable[[str], None] = lambda _name: None,
    ) -> None:
        self._names = names
        self._root = models_root
        self._hub_timeout_s = hub_timeout_s
        self._waits = waits or Waits()
        self._on_fetched = on_fetched
        self._stop = threading.Event()
        self._fetch: ModelFetch | None = None
        self._announced = ""
        self._milestone = 0
        self._has_progress = False

    def stop(self) -> None:
        """Make `run` return soon. What has arrived stays."""
        self._stop.set()

    def run(self) -> None:
        """Returns when every model is there or given up, or after `stop`."""
        for name in self._names:
            self._milestone = 0
            try:
                if self._persist(name):
                    self._on_fetched(name)
            except Stopped:
                return

    def show(self, state: FetchState, sentence: str, *, aloud: bool = True) -> None:
        """Set the state of the newest download; `aloud` also tells the terminal, each sentence once."""
        if self._fetch is None:
            return
        self._fetch = replace(self._fetch, state=state, sentence=sentence)
        self._write()
        if aloud:
            self._announce(sentence)

    def _persist(self, name: str) -> bool:
        """Try until the model is there (true), or cannot be had."""
        self._fetch = ModelFetch(name, FetchState.RUNNING, 0, 0, f"Looking for the speech model “{name}” …")
        wait_s, damaged = self._waits.first_s, 0
        while True:
            self._has_progress = False
            try:
                self._try(name)
                self.show(FetchState.LOADING, f"The speech model “{name}” is here and is being loaded.", aloud=False)
                return True
            except HubAway as away:
                log.info("model.hub_away", model=name, error=str(away))
                if self._has_progress:
                    wait_s = self._waits.first_s
                self._show_away()
                self._pause(max(wait_s, away.retry_after_s or 0.0))
            except Damaged as error:
                damaged += 1
                log.warning("model.damaged", model=name, error=str(error), times=damaged)
                if damaged == MAX_DAMAGED:
                    self._fail(name, _DAMAGED.format(times=damaged, root=self._root))
                    return False
                self.show(
                    FetchState.WAITING, f"The speech model “{name}” arrived damaged and is being downloaded again."
                )
                self._pause(wait_s)
            except NoRoom as full:
                self.show(FetchState.FAILED, str(full))
                self._pause(self._waits.no_room_s)
            except HubRefused as refused:
                self._fail(name, f"{refused} Or put a faster-whisper model folder in {self._root}.")
                return False
            except OSError as error:
                if error.errno == errno.ENOSPC:
                    self.show(FetchState.FAILED, _DISK_FULL.format(root=self._root))
                    self._pause(self._waits.no_room_s)
                    continue
                log.error("model.not_written", model=name, error=str(error))
                self._fail(name, f"{self._root} cannot be written ({error.strerror}). Change its permissions.")
                return False
            wait_s = min(self._waits.longest_s, wait_s * 2)

    def _try(self, name: str) -> None:
        if not self._has_begun and (problem := why_unreachable(self._hub_timeout_s)) is not None:
            raise HubAway(problem)
        download(name, self._root, progress=self._on_progress, stop=self._stop)

    @property
    def _has_begun(self) -> bool:
        return self._fetch is not None and self._fetch.bytes_total > 0

    def _show_away(self) -> None:
        fetch = self._fetch
        if fetch is not None and fetch.bytes_total:
            self.show(
                FetchState.WAITING,
                f"The download of the speech model “{fetch.model}” was interrupted at {fetch.percent} %. "
                "It goes on by itself.",
            )
        else:
            self.show(FetchState.UNREACHABLE, unreachable_sentence(self._root))

    def _fail(self, name: str, reason: str) -> None:
        self.show(FetchState.FAILED, f"The speech model “{name}” could not be downloaded. {reason}")

    def _on_progress(self, done: int, total: int) -> None:
        fetch = self._fetch
        if fetch is None:
            return
        if not fetch.bytes_total:
            begun = f", {fetch_percent(done, total)} % are here already" if done else ""
            self._announce(
                f"Getting a better speech model in the background: “{fetch.model}”, {megabytes(total)}{begun}."
            )
        if done > fetch.bytes_done:
            self._has_progress = True
        percent = fetch_percent(done, total)
        sentence = f"Getting a better speech model: {percent} % of {megabytes(total)}."
        self._fetch = replace(fetch, state=FetchState.RUNNING, bytes_done=done, bytes_total=total, sentence=sentence)
        if percent != fetch.percent or not fetch.bytes_total or done == total:
            self._write()
        if percent >= self._milestone + _MILESTONE and percent < 100:
            self._milestone = percent // _MILESTONE * _MILESTONE
            self._announce(sentence)

    def _write(self) -> None:
        try:
            write_fetch(self._root, self._fetch)
        except OSError as error:
            # Nothing but the progress on the page is lost by it.
            log.warning("model.state_not_written", error=str(error))

    def _announce(self, sentence: str) -> None:
        if sentence != self._announced:
            self._announced = sentence
            log.info(FETCH_EVENT, sentence=sentence)

    def _pause(self, seconds: float) -> None:
        if self._stop.wait(seconds):
            raise Stopped


_DAMAGED = (
    "It arrived damaged {times} times and was thrown away. Something between here and the hub changes what it sends. "
    "Put a faster-whisper model folder in {root}, or start Sagascript again to try again."
)
_DISK_FULL = "The disk is full, so the speech model at {root} is not complete. Make room, and the download goes on."


def unreachable_sentence(models_root: Path) -> str:
    return (
        f"No model hub can be reached. Put a faster-whisper model folder in {models_root} to use it; until then "
        "English only, by the built-in engine."
    )


def off_sentence(models_root: Path) -> str:
    return (
        f"Downloads of speech models are off. Put a faster-whisper model folder in {models_root} to use it; until then "
        "English only, by the built-in engine."
    )


def fetch_percent(done: int, total: int) -> int:
    return done * 100 // total if total else 0


def megabytes(size: int) -> str:
    """A size as people write it, such as `145 MB`."""
    return f"{size / 1e9:.1f} GB" if size >= 1_000_000_000 else f"{max(1, round(size / 1e6))} MB"
