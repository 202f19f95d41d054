"""Carries out the orders in a models folder."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path

import structlog

from cluster.wording.message import Wording, replaced
from serve.catalogue.entry import Entry, entry_named
from serve.catalogue.orders import Order, Orders, OrderState
from serve.catalogue.pull import pull
from serve.core.capability import MODELS_FOLDER
from serve.core.settings import ModelSettings
from serve.download.problems import Damaged, HubAway, HubRefused, NoRoom, Stopped
from serve.download.supply import Waits, megabytes, percent_of

log = structlog.get_logger(__name__)

LOOK_EVERY_S = 3.0

NOT_LISTED = Wording("orders.not_listed", "The catalogue has no model “{name}”.")
PAUSED = Wording("orders.paused", "The download stopped: {problem}. It resumes by itself.")
NOT_WRITTEN = Wording("orders.not_written", "The models folder cannot be written ({problem}).")
PROGRESS = Wording("orders.progress", "{percent} % of {size} have arrived.")


class OrderWorker:
    """Carries orders out, one after another, in a thread of its own."""

    def __init__(self, models_root: Path, settings: ModelSettings, *, waits: Waits | None = None) -> None:
        self._root = models_root
        self._orders = Orders(models_root)
        self._settings = settings
        self._waits = waits or Waits()
        self._stop = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self.run, name="model-orders", daemon=True).start()

    def stop(self) -> None:
        """End soon. What has arrived stays."""
        self._stop.set()

    def run(self) -> None:
        while not self._stop.is_set():
            for order in self._orders.all():
                if order.state is not OrderState.FAILED:
                    self._carry_out(order)
            self._stop.wait(LOOK_EVERY_S)

    def _carry_out(self, order: Order) -> None:
        entry = entry_named(order.name)
        if entry is None:
            self._fail(order, NOT_LISTED(name=order.name))
            return
        wait_s = self._waits.first_s
        withdrawn = _Withdrawn(self._orders, order.name, self._stop)
        while not withdrawn.is_set():
            try:
                self._try(entry, order, withdrawn)
                self._orders.end(order.name)
                log.info("model.pulled", model=order.name)
                return
            except Stopped:
                return
            except (HubAway, Damaged) as problem:
                log.info("model.pull_interrupted", model=order.name, error=str(problem))
                self._show(order, OrderState.PAUSED, PAUSED(problem=str(problem)))
                after = problem.retry_after_s if isinstance(problem, HubAway) else None
                withdrawn.wait(max(wait_s, after or 0.0))
                wait_s = min(self._waits.longest_s, wait_s * 2)
            except (HubRefused, NoRoom) as problem:
                self._fail(order, str(problem))
                return
            except OSError as problem:
                self._fail(order, NOT_WRITTEN(problem=str(problem.strerror)))
                return

    def _try(self, entry: Entry, order: Order, withdrawn: _Withdrawn) -> None:
        shown_percent = -1

        def progress(done: int, total: int) -> None:
            nonlocal shown_percent
            percent = percent_of(done, total)
            if percent != shown_percent and not withdrawn.is_set():
                shown_percent = percent
                running = replace(order, bytes_done=done, bytes_total=total)
                self._show(running, OrderState.RUNNING, PROGRESS(percent=percent, size=megabytes(total)))

        pull(entry, self._root, self._settings, progress=progress, stop=withdrawn)

    def _fail(self, order: Order, sentence: str) -> None:
        log.warning("model.pull_failed", model=order.name, reason=sentence)
        self._show(order, OrderState.FAILED, sentence)

    def _show(self, order: Order, state: OrderState, sentence: str) -> None:
        before = self._orders.get(order.name)
        # An order that was withdrawn meanwhile stays withdrawn.
        if before is not None:
            arrived = max(before.bytes_done, order.bytes_done)
            total = order.bytes_total or before.bytes_total
            sentence = replaced(sentence, str(self._root), MODELS_FOLDER)
            self._orders.write(Order(order.name, state, arrived, total, sentence))


class _Withdrawn(threading.Event):
    """Set once the order is gone or the worker stops."""

    def __init__(self, orders: Orders, name: str, stop: threading.Event) -> None:
        super().__init__()
        self._orders, self._name, self._stop = orders, name, stop

    def is_set(self) -> bool:
        return self._stop.is_set() or self._orders.get(self._name) is None

    def wait(self, timeout: float | None = None) -> bool:
        end = time.monotonic() + (timeout or 0.0)
        while not self.is_set() and (left := end - time.monotonic()) > 0:
            time.sleep(min(0.2, left))
        return self.is_set()
