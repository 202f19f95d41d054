"""Models that somebody asked for in the browser, one file each in the models folder.

The web process writes an order and reads its progress; the process that watches over the models carries it out. A file
outlives both, so a download continues after a restart. `order_worker.py` carries them out, so that web processes need
not import what downloads.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from cluster.stored_sentences import SentenceText
from cluster.wording.message import Wording
from serve.download.unfinished import FOLDER, safe_name

_ORDERS = "orders"
WAITS = Wording("models.waits", "“{name}” waits for its download to begin.")


class OrderState(StrEnum):
    WAITING = "waiting"
    """No process has begun it yet."""
    RUNNING = "running"
    PAUSED = "paused"
    """The hub or the network does not answer; it is tried again by itself."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Order:
    """A model to get. `bytes_total` is 0 while unknown; `sentence` is for people."""

    name: str
    state: OrderState = OrderState.WAITING
    bytes_done: int = 0
    bytes_total: int = 0
    sentence: SentenceText = ""


_ADAPTER: TypeAdapter[Order] = TypeAdapter(Order)


class Orders:
    """The orders in one models folder."""

    def __init__(self, models_root: Path) -> None:
        self._folder = models_root / FOLDER / _ORDERS

    def place(self, name: str) -> Order:
        """Ask for a model. One that failed is tried again. Raises OSError."""
        order = self.get(name)
        if order is None or order.state is OrderState.FAILED:
            order = Order(name, sentence=WAITS(name=name))
            self.write(order)
        return order

    def get(self, name: str) -> Order | None:
        return _read(self._path(name))

    def all(self) -> list[Order]:
        files = sorted(self._folder.glob("*.json")) if self._folder.is_dir() else []
        return [order for file in files if (order := _read(file)) is not None]

    def write(self, order: Order) -> None:
        path = self._path(order.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}.part")
        draft.write_bytes(_ADAPTER.dump_json(order))
        draft.replace(path)

    def end(self, name: str) -> None:
        """The model has arrived, or nobody wants it any more."""
        self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        return self._folder / f"{safe_name(name)}.json"


def _read(path: Path) -> Order | None:
    try:
        return _ADAPTER.validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
