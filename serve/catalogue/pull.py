"""Gets a model of the catalogue into the models folder."""

from __future__ import annotations

import threading
from pathlib import Path

from serve.catalogue.entry import Entry
from serve.catalogue.refusal import NONCOMMERCIAL, refusal
from serve.core.settings import ModelSettings
from serve.download.hub import RemoteModel, Wanted, forbids_commercial_use, remote_files
from serve.download.model import Progress, fetch
from serve.download.problems import HubRefused


def pull(
    entry: Entry, models_root: Path, settings: ModelSettings, *, progress: Progress, stop: threading.Event
) -> Path:
    """The model's folder, once everything in it has its size and checksum. What has arrived stays for the next call.

    Raises HubAway, HubRefused, Damaged, NoRoom, Stopped and OSError.
    """
    if (reason := refusal(entry, settings)) is not None:
        raise HubRefused(reason)

    def find() -> RemoteModel:
        remote = remote_files([_wanted(entry, index) for index in range(len(entry.parts))])
        if forbids_commercial_use(remote.licence) and not settings.allow_noncommercial_models:
            raise HubRefused(NONCOMMERCIAL(title=entry.title, licence=remote.licence))
        return remote

    return fetch(
        entry.name, find, models_root / entry.folder, models_root, markers=entry.markers, progress=progress, stop=stop
    )


def _wanted(entry: Entry, index: int) -> Wanted:
    part = entry.parts[index]
    return Wanted(
        repository=part.repository,
        revision=part.revision,
        patterns=part.patterns,
        required=part.required,
        kind="model that we can load",
        local_name=part.local_name,
        checksums=part.checksums,
    )
