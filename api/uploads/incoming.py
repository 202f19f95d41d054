"""Where the bytes of unfinished uploads lie, and what keeps two from writing one of them."""

from __future__ import annotations

from api.http.state import AppState
from api.uploads.lease_locks import LeaseLocks
from api.uploads.tus.file_locks import FileLocks
from api.uploads.tus.local_store import LocalStore
from api.uploads.tus.locks import UploadLocks
from api.uploads.tus.store import UploadStore

INCOMING = ".incoming"
"""Folder below the object store: a finished upload is renamed, not copied. No object key begins with a dot."""
LOCKS = "locks"
SCRATCH = "uploads"
"""Folder below that of running work: parts on their way to a bucket."""


def incoming_store(state: AppState) -> UploadStore:
    settings = state.settings
    if settings.storage_url is None:
        return LocalStore(settings.storage_root / INCOMING, state.storage)
    # Imported here: they bring Amazon's client, which takes half a second to load.
    from api.uploads.tus.s3_store import S3Store
    from cluster.storage_s3 import bucket_of

    return S3Store(bucket_of(settings), settings.work_root / SCRATCH, max_size=settings.max_upload_bytes)


def incoming_locks(state: AppState) -> UploadLocks:
    """Hosts over one folder share its locks, hosts over one bucket nothing but the database."""
    if state.settings.storage_url is None:
        return FileLocks(state.settings.storage_root / INCOMING / LOCKS)
    return LeaseLocks(state.database)
