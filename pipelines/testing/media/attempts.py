from __future__ import annotations

import wave
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.flows.tasks import Failed, attempt_stream
from pipelines.messages.attempt import Chunk, Interim, Progress, Result
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.requests import (
    ENCODE,
    EXPORT,
    INGEST,
    SHOTS,
    EncodeRequest,
    ExportRequest,
    IngestRequest,
    ShotsRequest,
)
from pipelines.messages.results import parts_folder
from pipelines.testing.media.samples import make_all

SOURCE_KEY = "uploads/1/original"


@pytest.fixture(scope="session")
def media(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of generated files."""
    folder = tmp_path_factory.mktemp("media")
    make_all(folder)
    return folder


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalStorage]:
    """The storage of an empty installation that this process uses as its own."""
    monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path / "installation"))
    get_cluster_settings.cache_clear()
    yield LocalStorage(get_cluster_settings().storage_root)
    get_cluster_settings.cache_clear()


FORMS: dict[str, tuple[str, type[JsonMessage]]] = {
    "upload": (INGEST, IngestRequest),
    "encoding": (ENCODE, EncodeRequest),
    "export": (EXPORT, ExportRequest),
    "shots": (SHOTS, ShotsRequest),
}

Streamed = Progress | Chunk | Interim | Result | Failed
Attempted = Callable[..., list[Streamed]]


@pytest.fixture
def attempt(installation: LocalStorage) -> Attempted:
    """Run a whole attempt on a file: `attempt("upload", path, fence=2, mode="soft")` returns all it streamed."""

    def run(kind: str, path: Path, /, *, fence: int = 1, **request: Any) -> list[Streamed]:
        copy = installation.root.parent / "copy"
        copy.write_bytes(path.read_bytes())
        installation.put(copy, SOURCE_KEY)
        flow, form = FORMS[kind]
        return list(attempt_stream(flow, form(file_id="f", source_key=SOURCE_KEY, **request), "job", fence))

    return run


def result_of(streamed: list[Streamed]) -> dict[str, Any]:
    """The result as JSON."""
    assert isinstance(streamed[-1], Result), streamed[-1]
    return streamed[-1].payload.to_json()


def failure_of(streamed: list[Streamed]) -> Failed:
    assert isinstance(streamed[-1], Failed), streamed[-1]
    return streamed[-1]


def nothing_is_left(installation: LocalStorage, kept: Result | None = None) -> None:
    """Assert that no process, no work folder, and no object except the original and the result's is left."""
    # Every program of an attempt has the absolute path of its original among its arguments.
    with_path = [name for name in Path("/proc").iterdir() if name.name.isdigit() and _tells(name, installation.root)]
    assert with_path == []
    assert list(get_cluster_settings().work_root.iterdir()) == []
    named = {value for key, value in (kept.payload.to_json() if kept else {}).items() if key.endswith("_key") and value}
    found = {str(path.relative_to(installation.root)) for path in installation.root.rglob("*") if path.is_file()}
    parts = {key for key in found if key.startswith(f"{parts_folder('f')}/")}
    assert found - parts == named | {SOURCE_KEY}


def _tells(process: Path, root: Path) -> bool:
    try:
        return str(root).encode() in process.joinpath("cmdline").read_bytes()
    except OSError:
        return False


def samples(storage: LocalStorage, key: str) -> npt.NDArray[np.int16]:
    with wave.open(str(storage.open_path(key)), "rb") as wav:
        assert (wav.getframerate(), wav.getnchannels(), wav.getsampwidth()) == (16_000, 1, 2)
        return np.frombuffer(wav.readframes(wav.getnframes()), dtype="<i2")
