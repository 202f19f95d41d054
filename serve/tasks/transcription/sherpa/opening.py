"""Opens the folders of models that sherpa-onnx runs, for any list of families, without loading a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Generic, Protocol, TypeAlias, TypeVar

from serve.core.engine_label import EngineLabel
from serve.core.models.models_folder import model_folders
from serve.core.settings import ModelSettings
from serve.tasks.transcription.sentences import IN_FOLDER, NAMED, SHERPA_UNUSABLE
from serve.tasks.transcription.sherpa.folder import SherpaFolder
from serve.tasks.transcription.sherpa.problems import NO_MODEL, NONCOMMERCIAL, UnusableModel


class OpensFolders(Protocol):
    """A family of models, as far as its folders go."""

    label: ClassVar[EngineLabel]

    def open(self, folder: Path) -> SherpaFolder:
        """The model of a folder. Raises UnusableModel or OSError."""
        ...


FamilyT = TypeVar("FamilyT", bound=OpensFolders)
FamilyOf: TypeAlias = Callable[[Path], FamilyT | None]
"""The family whose model a folder holds, as far as names and metadata tell."""


@dataclass(frozen=True, slots=True)
class OpenedModels(Generic[FamilyT]):
    """Models with their families and why they are looked at; a sentence about each that cannot be used."""

    opened: list[tuple[FamilyT, SherpaFolder, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def open_models(
    folders: Iterable[tuple[Path, str]], settings: ModelSettings, family_of: FamilyOf[FamilyT]
) -> OpenedModels[FamilyT]:
    """The models of these folders, each with a reason to look at it."""
    models: OpenedModels[FamilyT] = OpenedModels()
    for folder, reason in folders:
        family = family_of(folder)
        title = str(family.label.family) if family else "sherpa-onnx"
        try:
            if family is None:
                raise UnusableModel(NO_MODEL)
            model = family.open(folder)
            if model.is_noncommercial and not settings.allow_noncommercial_models:
                raise UnusableModel(NONCOMMERCIAL(licence=model.licence))
        except (UnusableModel, OSError) as problem:
            models.problems.append(SHERPA_UNUSABLE(family=title, name=folder.name, problem=str(problem)))
            continue
        models.opened.append((family, model, reason))
    return models


def shared_out(
    opened: Iterable[tuple[FamilyT, SherpaFolder, str]],
) -> Iterator[tuple[FamilyT, SherpaFolder, str, frozenset[str]]]:
    """Each with the languages that it is used for, empty for all others: the first model that knows one takes it.

    A model that is left none is not among them.
    """
    taken: set[str] = set()
    takes_rest = False
    for family, model, reason in opened:
        languages = model.languages - taken
        if languages or not (model.languages or takes_rest):
            taken |= languages
            takes_rest = takes_rest or not model.languages
            yield family, model, reason, languages


def named_folders(names: Iterable[str], models_root: Path) -> Iterator[tuple[Path, str]]:
    """Those that a setting names: folders, or names in the models folder."""
    for name in names:
        yield models_root / name, NAMED


def local_folders(models_root: Path, family_of: FamilyOf[FamilyT]) -> Iterator[tuple[Path, str]]:
    """Those of the models folder that hold a model of a family."""
    for folder in model_folders(models_root):
        if family_of(folder) is not None:
            yield folder, IN_FOLDER
