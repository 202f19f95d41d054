"""Finds the Parakeet model of this machine, without loading it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cluster.sentences import paragraph
from serve.core.settings import ModelSettings
from serve.tasks.transcription.parakeet.folder import is_parakeet, open_folder
from serve.tasks.transcription.parakeet.info import PARAKEET
from serve.tasks.transcription.parakeet.problems import UnusableModel
from serve.tasks.transcription.sentences import IN_FOLDER, NAMED, PARAKEET_UNUSABLE


@dataclass(frozen=True, slots=True)
class FoundParakeet:
    """A model on this machine. `reason` is a clause such as "its folder is in the models folder"."""

    name: str
    path: Path
    reason: str
    languages: frozenset[str]
    engine: str = PARAKEET


@dataclass(frozen=True, slots=True)
class ParakeetSearch:
    """The model to use, or why there is none; `problem` is empty where nobody put one there."""

    found: FoundParakeet | None = None
    problem: str = ""


def find_parakeet(settings: ModelSettings, models_root: Path) -> ParakeetSearch:
    """The model that a setting names, else the first one in the models folder that can be used."""
    problems = []
    for folder, reason in _folders(settings, models_root):
        try:
            model = open_folder(folder)
        except (UnusableModel, OSError) as problem:
            problems.append(PARAKEET_UNUSABLE(name=folder.name, problem=str(problem)))
            continue
        return ParakeetSearch(FoundParakeet(folder.name, folder, reason, model.languages))
    return ParakeetSearch(problem=paragraph(*problems) if problems else "")


def _folders(settings: ModelSettings, models_root: Path) -> Iterator[tuple[Path, str]]:
    if settings.parakeet_model is not None:
        yield models_root / settings.parakeet_model, NAMED
        return
    if not models_root.is_dir():
        return
    # Unfinished downloads are in hidden folders.
    below = sorted(path for path in models_root.iterdir() if path.is_dir() and not path.name.startswith("."))
    for folder in below:
        if is_parakeet(folder):
            yield folder, IN_FOLDER
