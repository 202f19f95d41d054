"""Where the bytes of unfinished uploads are stored, and the locks that give each one writer."""

from __future__ import annotations

from api.content.uploads.lease_locks import LeaseLocks
from api.content.uploads.tus.locks import UploadLocks
from api.content.uploads.tus.storage.file_locks import FileLocks
from api.content.uploads.tus.storage.local_store import LocalStore
from api.content.uploads.tus.storage.store import UploadStore
from api.platform.http.state import AppState

INCOMING = ".incoming"
"""A folder in the object store, so that a complete upload is renamed, not copied. No object key starts with a dot."""
LOCKS = "locks"
SCRATCH = "uploads"
"""A folder in the work folder, for parts that are sent to a bucket."""


def incoming_store(state: AppState) -> UploadStore:
    settings = state.settings
    if settings.storage_url is None:
        return LocalStore(settings.storage_root / INCOMING, state.storage)
    # Imported late: Amazon's client takes half a second to load.
    from api.content.uploads.tus.storage.s3_store import S3Store
    from cluster.storage.bucket_objects import bucket_of

    return S3Store(bucket_of(settings), settings.work_root / SCRATCH, max_size=settings.max_upload_bytes)


def incoming_locks(state: AppState) -> UploadLocks:
    """Upload servers over one folder share its locks. Over a bucket they share only the database."""
    if state.settings.storage_url is None:
        return FileLocks(state.settings.storage_root / INCOMING / LOCKS)
    return LeaseLocks(state.database)
