"""How far the download of a model is, in a file of the models folder that other processes of the machine read."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

FOLDER = ".download"
"""Folder in the models folder: what is on its way, locks, and the state."""
_FILE = "state.json"


class FetchState(StrEnum):
    """Where a download is. The last five need no process at work on them."""

    RUNNING = "running"
    WAITING = "waiting"
    """Begun, and interrupted: it goes on by itself."""
    UNREACHABLE = "unreachable"
    """No hub answers; it is asked again from time to time."""
    OFF = "off"
    """Downloads are switched off, and there is no model."""
    FAILED = "failed"
    LOADING = "loading"
    """The model is on the disk; the replicas load it."""
    READY = "ready"


@dataclass(frozen=True, slots=True)
class ModelFetch:
    """The download of `model` ("base"). `bytes_total` is 0 until the hub has named it. `sentence` is for people."""

    model: str
    state: FetchState
    bytes_done: int
    bytes_total: int
    sentence: str

    @property
    def percent(self) -> int:
        return self.bytes_done * 100 // self.bytes_total if self.bytes_total else 0


def read_fetch(models_root: Path) -> ModelFetch | None:
    """The newest download of this models folder; None when there was nothing to download."""
    try:
        fields = json.loads((models_root / FOLDER / _FILE).read_text("utf-8"))
        return ModelFetch(**{**fields, "state": FetchState(fields["state"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_fetch(models_root: Path, fetch: ModelFetch | None) -> None:
    """Keep the state for `read_fetch`; None removes it. Raises OSError."""
    path = models_root / FOLDER / _FILE
    if fetch is None:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{_FILE}.{os.getpid()}")
    draft.write_text(json.dumps(asdict(fetch)), "utf-8")
    draft.replace(path)
