"""The storage of an installation."""

from __future__ import annotations

from cluster.settings import ClusterSettings
from cluster.storage.folder import LocalStorage
from cluster.storage.objects import Storage


def open_storage(settings: ClusterSettings) -> Storage:
    """The storage that the settings name."""
    if settings.storage_url is None:
        return LocalStorage(settings.storage_root)
    # Imported here because Amazon's client takes half a second to load.
    from cluster.storage.bucket_objects import S3Storage, bucket_of

    return S3Storage(bucket_of(settings))
