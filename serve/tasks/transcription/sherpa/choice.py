"""Finds the models of this machine that sherpa-onnx runs, without loading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from serve.core.messages import EngineInfo
from serve.core.models.models_folder import model_folders
from serve.core.settings import ModelSettings
from serve.tasks.transcription.sentences import IN_FOLDER, NAMED, SHERPA_UNUSABLE
from serve.tasks.transcription.sherpa.family import Family, SherpaFolder
from serve.tasks.transcription.sherpa.problems import NO_MODEL, NONCOMMERCIAL, UnusableModel
from serve.tasks.transcription.sherpa.registry import FAMILIES, family_of


@dataclass(frozen=True, slots=True)
class FoundSherpa:
    """A model on this machine. `reason` is a clause such as "its folder is in the models folder".

    `languages` are those that it is used for: of several models that know one, the first one takes it. Empty: all.
    """

    family: Family
    model: SherpaFolder
    reason: str
    languages: frozenset[str]

    @property
    def name(self) -> str:
        return self.model.path.name

    @property
    def path(self) -> Path:
        return self.model.path

    @property
    def title(self) -> str:
        return str(self.family.label.family)

    def info(self, reason: str) -> EngineInfo:
        return replace(self.family.info(self.model, str(self.path), reason), languages=self.languages)


@dataclass(frozen=True, slots=True)
class SherpaSearch:
    """The models to use, and a sentence about each that cannot be used."""

    found: tuple[FoundSherpa, ...] = ()
    problems: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class OpenedModels:
    """Models with their families and why they are looked at; a sentence about each that cannot be used."""

    opened: list[tuple[Family, SherpaFolder, str]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def find_sherpa(settings: ModelSettings, models_root: Path, *, only: str | None = None) -> SherpaSearch:
    """The models that a setting names, else all in the models folder; of the family `only`, where that is given."""
    models = open_models(_folders(settings, models_root), settings)
    opened = [each for each in models.opened if only in (None, each[0].name)]
    if not settings.sherpa_models:
        opened.sort(key=lambda each: FAMILIES.index(each[0]))
    return SherpaSearch(_shared_out(opened), tuple(models.problems))


def open_models(folders: Iterable[tuple[Path, str]], settings: ModelSettings) -> OpenedModels:
    """The models of these folders, each with a reason to look at it."""
    models = OpenedModels()
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


def _shared_out(opened: list[tuple[Family, SherpaFolder, str]]) -> tuple[FoundSherpa, ...]:
    """Each language to the first model that knows it. A model that is left none is not loaded."""
    taken: set[str] = set()
    found: list[FoundSherpa] = []
    for family, model, reason in opened:
        languages = model.languages - taken
        is_first_of_all = not model.languages and not any(not each.languages for each in found)
        if languages or is_first_of_all:
            taken |= languages
            found.append(FoundSherpa(family, model, reason, languages))
    return tuple(found)


def named_folders(settings: ModelSettings, models_root: Path) -> Iterator[tuple[Path, str]]:
    for name in settings.sherpa_models:
        yield models_root / name, NAMED


def local_folders(models_root: Path) -> Iterator[tuple[Path, str]]:
    """Those of the models folder that look like a model of sherpa-onnx."""
    for folder in model_folders(models_root):
        if family_of(folder) is not None:
            yield folder, IN_FOLDER


def _folders(settings: ModelSettings, models_root: Path) -> Iterator[tuple[Path, str]]:
    return named_folders(settings, models_root) if settings.sherpa_models else local_folders(models_root)
