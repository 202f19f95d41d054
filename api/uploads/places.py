"""Where the bytes of unfinished uploads lie, and what keeps two from writing one of them."""

from __future__ import annotations

from api.http.state import AppState
from api.uploads.tus.file_locks import FileLocks
from api.uploads.tus.local_store import LocalStore
from api.uploads.tus.locks import UploadLocks
from api.uploads.tus.store import UploadStore

INCOMING = ".incoming"
"""Folder below the object store: a finished upload is renamed, not copied. No object key begins with a dot."""
LOCKS = "locks"


def incoming_store(state: AppState) -> UploadStore:
    return LocalStore(state.settings.storage_root / INCOMING, state.storage)


def incoming_locks(state: AppState) -> UploadLocks:
    return FileLocks(state.settings.storage_root / INCOMING / LOCKS)
