"""Downloads one model into the models folder, completely or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from serve.core.models.model_files import MODEL_FILE
from serve.download.hub import NO_ROOM, NONCOMMERCIAL, RemoteModel, forbids_commercial_use, remote_model, repository_of
from serve.download.problems import HubRefused, NoRoom, Stopped
from serve.download.transfer import transfer
from serve.download.unfinished import FOLDER, safe_name

SPARE_BYTES = 1_000_000_000
"""Space that a download leaves on the disk: uploads need it more than a better model does."""
_LOCK_EVERY_S = 1.0

Progress = Callable[[int, int], None]
"""Called with the bytes of the model on disk and its total bytes."""


def folder_of(name: str, models_root: Path) -> Path:
    """The folder of the model `name` in the models folder."""
    return models_root / (name if "/" in name else repository_of(name).split("/")[-1])


def download(name: str, models_root: Path, *, progress: Progress, stop: threading.Event) -> Path:
    """The folder of a Whisper model. Raises what `fetch` raises."""

    def find() -> RemoteModel:
        model = remote_model(name)
        if forbids_commercial_use(model.licence):
            raise HubRefused(NONCOMMERCIAL(name=name, licence=model.licence))
        return model

    target = folder_of(name, models_root)
    return fetch(name, find, target, models_root, markers=(MODEL_FILE,), progress=progress, stop=stop)


def fetch(
    name: str,
    find: Callable[[], RemoteModel],
    target: Path,
    models_root: Path,
    *,
    markers: Sequence[str],
    progress: Progress,
    stop: threading.Event,
) -> Path:
    """`target`, once everything in it has the hub's size and checksum. It is complete when it has all `markers`.

    An unfinished model stays for the next call, also from another process. Two processes never download one model at
    once. Raises HubAway, HubRefused, Damaged, NoRoom, Stopped and OSError.
    """
    with _lock(name, models_root, stop):
        if all((target / marker).is_file() for marker in markers):
            return target
        model = find()
        parts = _parts(name, model, models_root)
        _require_room(model, parts)
        _transfer_all(model, parts, progress, stop)
        target.parent.mkdir(parents=True, exist_ok=True)
        # A folder in the way holds no model, but perhaps other files that somebody put there.
        if target.exists() and not any(target.iterdir()):
            target.rmdir()
        parts.rename(target)
    return target


def _transfer_all(model: RemoteModel, parts: Path, progress: Progress, stop: threading.Event) -> None:
    there = {file.path: _size(parts / file.path) for file in model.files}
    for file in model.files:

        def arrived(have: int, path: str = file.path) -> None:
            there[path] = have
            progress(sum(there.values()), model.size)

        transfer(file, parts / file.path, arrived=arrived, stop=stop)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _parts(name: str, model: RemoteModel, models_root: Path) -> Path:
    """The folder for the unfinished files of this version of the model. Removes those of older versions."""
    stem = safe_name(name)
    parts = models_root / FOLDER / f"{stem}@{_version(model)}"
    parts.mkdir(parents=True, exist_ok=True)
    for other in parts.parent.glob(f"{stem}@*"):
        if other != parts:
            shutil.rmtree(other)
    return parts


def _version(model: RemoteModel) -> str:
    """A short name for what the hub has now; a model of several repositories has several commits."""
    return "-".join(commit[:12] for commit in safe_name(model.commit).split("-"))


def _require_room(model: RemoteModel, parts: Path) -> None:
    there = sum(path.stat().st_size for path in parts.iterdir())
    needed = max(0, model.size - there) + SPARE_BYTES
    free = shutil.disk_usage(parts).free
    if free < needed:
        raise NoRoom(NO_ROOM(needed=needed / 1e9, free=free / 1e9))


@contextmanager
def _lock(name: str, models_root: Path, stop: threading.Event) -> Iterator[None]:
    """Lock the model for this process; the system releases the lock when it dies. Waits for other processes."""
    path = models_root / FOLDER / f"{safe_name(name)}.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if stop.wait(_LOCK_EVERY_S):
                    raise Stopped from None
        yield
    finally:
        os.close(descriptor)
