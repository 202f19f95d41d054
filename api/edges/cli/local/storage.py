"""Where the command line works on files of this machine: a folder of its own inside the data folder.

Encoded parts of the last films stay there, so that an export after an edit costs a part of the first. All else goes
with its run, at the latest when the next one begins. Two runs at once share only parts, whose names say what they were
made from.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from api.edges.cli.settings import writing_into
from cluster.settings import ClusterSettings, get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.messages.attempt import StageFailed

FILMS_MAX = 4
"""Films whose parts stay: each takes as much room as its last exports."""
PARTS_DAYS = 30
CHANGED = "The file changed while it was read. Try again when nobody writes into it."
_RUNS, _EXPORTS = "runs", "exports"


class LocalFile:
    """A file of this machine in storage, under a key that no other run uses."""

    def __init__(self, storage: LocalStorage, source: Path, key: str) -> None:
        self.key = key
        put_copy(storage, source, key)
        self._path = storage.open_path(key)
        self._state = _state(self._path)

    def check(self) -> None:
        """Raise `StageFailed` where somebody has written into the file since."""
        if _state(self._path) != self._state:
            raise StageFailed("storage", CHANGED, retryable=True)


@dataclass(frozen=True, slots=True)
class LocalRun:
    """One run of a command. `name` is nobody else's; `file_id` is the same for each run on a file at the same path."""

    name: str
    file_id: str
    file: LocalFile
    storage: LocalStorage


@contextmanager
def local_run(settings: ClusterSettings, source: Path) -> Iterator[LocalRun]:
    """Put `source` into storage while the context is open; what the run stores goes with it, but for parts."""
    _forget_earlier_versions(settings.storage_root)
    with writing_into(settings.data_dir / "local"), ExitStack() as held:
        own = get_cluster_settings()
        storage = LocalStorage(own.storage_root)
        name = uuid.uuid4().hex
        file_id = f"path-{hashlib.sha256(os.fsencode(source.resolve())).hexdigest()[:32]}"
        for folder in (storage.root / _RUNS / name, storage.root / _EXPORTS / file_id):
            held.enter_context(_claimed(folder))
        _sweep(storage.root, own.work_root)
        try:
            file = LocalFile(storage, source, f"{_RUNS}/{name}/original")
            yield LocalRun(name, file_id, file, storage)
        finally:
            for folder in (*_made_by(storage.root, own.work_root, name), storage.root / _RUNS / name):
                shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                (storage.root / _EXPORTS / file_id).rmdir()


def put_copy(storage: LocalStorage, source: Path, key: str) -> None:
    """Put `source` into storage without moving it: as a hard link if possible, else as a copy."""
    draft = (storage.root / key).with_name("draft")
    draft.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source.resolve(), draft)
    except OSError:
        shutil.copyfile(source, draft)
    storage.put(draft, key)


def _state(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


@contextmanager
def _claimed(folder: Path) -> Iterator[None]:
    """Make the folder, and show other runs that it is in use. The claim ends with the process, however that ends."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        if folder.exists() and folder.stat().st_ino == os.fstat(descriptor).st_ino:
            break
        # Another run removed it in between.
        os.close(descriptor)
    try:
        yield
    finally:
        os.close(descriptor)


def _remove_unclaimed(folder: Path, *others: Path) -> None:
    """Remove the folder, and what belongs to it, unless a run uses it."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except FileNotFoundError:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return
    else:
        for each in (*others, folder):
            shutil.rmtree(each, ignore_errors=True)
    finally:
        os.close(descriptor)


def _sweep(root: Path, work: Path) -> None:
    """Remove what killed runs left, and parts of films that are old or more than `FILMS_MAX`."""
    for run in _folders(root / _RUNS):
        _remove_unclaimed(run, *_made_by(root, work, run.name))
    newest = sorted(_folders(root / _EXPORTS), key=_used_at, reverse=True)
    oldest = time.time() - PARTS_DAYS * 24 * 3600
    for number, film in enumerate(newest):
        if number >= FILMS_MAX or _used_at(film) < oldest:
            _remove_unclaimed(film)


def _made_by(root: Path, work: Path, name: str) -> tuple[Path, ...]:
    return work / name, root / "jobs" / name


def _folders(root: Path) -> list[Path]:
    return [path for path in root.iterdir() if path.is_dir()] if root.is_dir() else []


def _used_at(film: Path) -> float:
    """When a run on the film last stored something."""
    try:
        return max(path.stat().st_mtime for path in (film, *film.rglob("*")))
    except FileNotFoundError:
        return time.time()


def _forget_earlier_versions(root: Path) -> None:
    """Earlier versions kept one film and its parts here for all films: the parts may show any of them."""
    for folder in ("local", f"{_EXPORTS}/local", "jobs/export"):
        shutil.rmtree(root / folder, ignore_errors=True)
