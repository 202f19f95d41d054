"""Where the bytes of unfinished uploads lie."""

from __future__ import annotations

from api.settings import ApiSettings
from api.uploads.tus.store import UploadStore

INCOMING = ".incoming"
"""Folder below the object store: a finished upload is renamed, not copied. No object key begins with a dot."""


def incoming_store(settings: ApiSettings) -> UploadStore:
    return UploadStore(settings.storage_root / INCOMING)
