"""Which models are on this machine: in the models folder and in the hub's cache; and how to remove them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePath

from serve.catalogue.entry import catalogue, task_of
from serve.core.messages import EngineInfo
from serve.core.models.model_files import MODEL_FILE
from serve.core.models.models_folder import model_folders


class Where(StrEnum):
    MODELS_FOLDER = "models_folder"
    HUB_CACHE = "hub_cache"


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model on disk. `name` is that of the catalogue where it lists the model, else the folder's or repository's."""

    name: str
    task: str
    where: Where
    folder: Path
    size_bytes: int


def installed_models(models_root: Path) -> list[InstalledModel]:
    """What the models folder holds, then what only the hub's cache holds."""
    here = list(_in_folder(models_root))
    names = {model.name for model in here}
    return [*here, *(model for model in _in_cache() if model.name not in names)]


def remove(model: InstalledModel) -> None:
    """Delete its files. Raises OSError."""
    if model.where is Where.MODELS_FOLDER:
        shutil.rmtree(model.folder)
        return
    from huggingface_hub import scan_cache_dir

    cache = scan_cache_dir()
    revisions = [
        revision.commit_hash
        for repository in cache.repos
        for revision in repository.revisions
        if Path(revision.snapshot_path) == model.folder
    ]
    cache.delete_revisions(*revisions).execute()


def is_used_by(model: InstalledModel, loaded: EngineInfo) -> bool:
    """Whether an engine has loaded the model. It names its models by folder or name, several with commas."""
    names = {_plain(PurePath(part.strip()).name) for part in re.split(r"[,;():]", loaded.model)}
    return loaded.task == model.task and bool(names & {_plain(model.name), _plain(model.folder.name)})


def _plain(name: str) -> str:
    return name.split("/")[-1].removeprefix("faster-").removeprefix("whisper-")


def _in_folder(models_root: Path) -> Iterator[InstalledModel]:
    known = {entry.folder: entry.name for entry in catalogue()}
    for folder in _folders(models_root):
        task = task_of(folder)
        if task is not None:
            name = str(folder.relative_to(models_root))
            yield InstalledModel(known.get(name, name), task, Where.MODELS_FOLDER, folder, _size(folder))


def _folders(models_root: Path) -> Iterator[Path]:
    """Folders that may hold a model: `name` and `owner/name`."""
    for folder in model_folders(models_root):
        yield folder
        if task_of(folder) is None:
            yield from sorted(path for path in folder.iterdir() if path.is_dir())


def _in_cache() -> Iterator[InstalledModel]:
    from huggingface_hub import CacheNotFound, scan_cache_dir

    known = {part.repository: entry.name for entry in catalogue() for part in entry.parts if len(entry.parts) == 1}
    try:
        cache = scan_cache_dir()
    except CacheNotFound:
        return
    for repository in sorted(cache.repos, key=lambda each: each.repo_id):
        for revision in repository.revisions:
            folder = Path(revision.snapshot_path)
            task = task_of(folder)
            if repository.repo_type == "model" and task is not None and (folder / MODEL_FILE).exists():
                name = known.get(repository.repo_id, repository.repo_id)
                yield InstalledModel(name, task, Where.HUB_CACHE, folder, revision.size_on_disk)
                break


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
