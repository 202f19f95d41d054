"""Finds the models of this machine that sherpa-onnx runs, without loading them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.tasks.transcription.sherpa.family import Family
from serve.tasks.transcription.sherpa.folder import SherpaFolder
from serve.tasks.transcription.sherpa.opening import local_folders, named_folders, open_models, shared_out
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


def find_sherpa(settings: ModelSettings, models_root: Path, *, only: str | None = None) -> SherpaSearch:
    """The models that a setting names, else all in the models folder; of the family `only`, where that is given."""
    models = open_models(_folders(settings, models_root), settings, family_of)
    opened = [each for each in models.opened if only in (None, each[0].name)]
    if not settings.sherpa_models:
        opened.sort(key=lambda each: FAMILIES.index(each[0]))
    found = tuple(FoundSherpa(*each) for each in shared_out(opened))
    return SherpaSearch(found, tuple(models.problems))


def _folders(settings: ModelSettings, models_root: Path) -> Iterator[tuple[Path, str]]:
    if settings.sherpa_models:
        return named_folders(settings.sherpa_models, models_root)
    return local_folders(models_root, family_of)
