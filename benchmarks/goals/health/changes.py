"""Changes of a running deployment: how long they take, and what they do to work in progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from serve.core.capability import TaskState
from serve.core.capability_store import published_replicas
from serve.core.settings import ModelSettings
from serve.task_watch import TaskWatch
from serve.testing.counted_task import (
    Counted,
    CountedClient,
    CountedProfile,
    Piece,
    calls_of,
    counted_deployment,
    profile_with,
)

STEP_S = 0.2
WITHIN_S = 300.0
FILES = 8
PIECE_MS = 20


def watch_over(section: CountedProfile, folder: Path) -> TaskWatch:
    """The watch of a task that runs."""
    watch = TaskWatch(counted_deployment(), profile_with(section), ModelSettings(allow_hub=False), folder)
    until(watch, lambda: watch.state is TaskState.READY)
    return watch


def until(watch: TaskWatch, condition: Callable[[], bool]) -> float:
    """Seconds until the condition holds."""
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > WITHIN_S:
            raise TimeoutError(watch.sentence())
        watch.step()
        time.sleep(STEP_S)
    return time.monotonic() - begun


def new_limits_s(watch: TaskWatch, section: CountedProfile) -> float:
    """Seconds until every replica runs with another batch size."""
    batch = section.max_batch * 2
    watch.use(profile_with(section.model_copy(update={"max_batch": batch})))
    task = watch.name

    def all_have_it() -> bool:
        reports = published_replicas(task)
        return bool(reports) and all(each.limits is not None and each.limits.max_batch == batch for each in reports)

    return until(watch, all_have_it)


@dataclass(frozen=True, slots=True)
class Rollout:
    """A change of the model under load. `longest_gap_s` is the longest time without a result, before and after it."""

    change_s: float
    pieces: int
    lost: int
    doubled: int
    longest_gap_s: float


def rollout(watch: TaskWatch, section: CountedProfile, client: CountedClient) -> Rollout:
    """Replace the model while files are sent to it without pause."""
    stop, times = threading.Event(), [time.monotonic()]
    sent: list[Future[Counted]] = []

    def feed() -> None:
        number = 0
        while not stop.is_set():
            for file in range(FILES):
                future = client.submit(Piece(f"file-{file}", number, PIECE_MS))
                future.add_done_callback(lambda _: times.append(time.monotonic()))
                sent.append(future)
            number += 1
            # As fast as one worker works.
            time.sleep(FILES * PIECE_MS / 1000)

    before = sum(calls_of(section.folder).values())
    feeder = threading.Thread(target=feed)
    feeder.start()
    time.sleep(2)
    watch.use(profile_with(section.model_copy(update={"model": "second"})))
    change_s = until(watch, lambda: watch.loaded is not None and watch.loaded.model == "second")
    time.sleep(2)
    stop.set()
    feeder.join()
    wait(sent, timeout=WITHIN_S)
    lost = sum(1 for future in sent if not future.done() or future.exception() is not None)
    ordered = sorted(times)
    gap = max(later - earlier for earlier, later in pairwise(ordered))
    doubled = sum(calls_of(section.folder).values()) - before - (len(sent) - lost)
    return Rollout(change_s, len(sent), lost, doubled, gap)
