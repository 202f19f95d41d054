"""Downloads from a hub on loopback by a supply in a thread."""

from __future__ import annotations

import filecmp
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.core.capability import FetchState, ModelFetch
from serve.download.supply import ModelSupply, Waits
from serve.download.unfinished import FOLDER
from serve.testing.model_hub import ModelHub, model_hub

QUICK = Waits(first_s=0.01, longest_s=0.05, no_room_s=0.05)
MODEL = "faster-whisper-base"


@pytest.fixture
def hub(models_root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelHub]:
    with model_hub(models_root / "whisper") as running:
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", running.url)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield running


@pytest.fixture
def supply() -> Iterator[Callable[..., list[ModelFetch]]]:
    """Starts a supply in a thread and returns the list of its published states; stops it at the end."""
    running: list[tuple[ModelSupply, threading.Thread]] = []

    def start(root: Path, name: str = "base") -> list[ModelFetch]:
        states: list[ModelFetch] = []
        supply = ModelSupply([name], root, publish=states.append, hub_timeout_s=2.0, waits=QUICK)
        thread = threading.Thread(target=supply.run)
        running.append((supply, thread))
        thread.start()
        return states

    yield start
    for supply, thread in running:
        supply.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def until(states: list[ModelFetch], state: FetchState) -> ModelFetch:
    """The first state of that kind."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found = next((fetch for fetch in states if fetch.state is state), None)
        if found is not None:
            return found
        time.sleep(0.01)
    raise AssertionError(f"It never came to that: {states[-3:]}.")


def assert_whole(root: Path, hub: ModelHub) -> None:
    names = [path.name for path in hub.folder.iterdir()]
    _, mismatch, errors = filecmp.cmpfiles(hub.folder, root / MODEL, names, shallow=False)
    assert (mismatch, errors) == ([], [])
    assert not list((root / FOLDER).glob("*@*"))
