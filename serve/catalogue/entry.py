"""The curated list of models that one can get, one entry each."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from cluster.wording.message import Message
from serve.tasks import NAMES
from serve.tasks.registry import REQUIRED, TASKS

MANY: Literal["many"] = "many"

_FORMS = {form: files for each in TASKS for form, files in each.model_forms.items()}
_MODEL_FILE = "model.bin"


def _known_form(form: str) -> str:
    if form not in _FORMS:
        raise ValueError(f"There is no form “{form}” of models. Forms are: {', '.join(_FORMS)}.")
    return form


class Part(BaseModel):
    """Files of one repository. `files` names a form, or each file with the name it gets in the model's folder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    repository: str
    revision: str = "main"
    files: Annotated[str, AfterValidator(_known_form)] | dict[str, str]
    checksums: dict[str, str] = Field(default_factory=dict, description="SHA-256 of files, where we know them.")

    @property
    def patterns(self) -> tuple[str, ...]:
        return _FORMS[self.files] if isinstance(self.files, str) else tuple(self.files)

    @property
    def required(self) -> tuple[str, ...]:
        """Files that the repository must have, by their names in it."""
        return (_MODEL_FILE,) if isinstance(self.files, str) else tuple(self.files)

    def local_name(self, path: str) -> str:
        return path if isinstance(self.files, str) else self.files[path]


class Entry(BaseModel):
    """A model. It has parts to download, or the command that makes it from another model."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    task: str = Field(description="The name of one of `TASKS`.")
    title: str
    summary: str = ""
    licence: str
    is_noncommercial: bool = False
    languages: tuple[str, ...] | Literal["many"] | None = None
    pairs: tuple[str, ...] | Literal["many"] | None = None
    size_mb: int | None = None
    parts: tuple[Part, ...] = ()
    conversion: str | None = None

    @property
    def about(self) -> Message | None:
        """The summary as a sentence of ours; its code follows from the name. None where there is none."""
        code = f"models.summary.{self.name}"
        return Message(code, self.summary) if self.summary else None

    @property
    def folder(self) -> str:
        """Its folder in the models folder."""
        return self.parts[0].repository.split("/")[-1] if len(self.parts) == 1 else self.name

    @property
    def markers(self) -> tuple[str, ...]:
        """Files that its folder has once it is complete."""
        return tuple(part.local_name(file) for part in self.parts for file in part.required) or (_MODEL_FILE,)


@lru_cache
def catalogue() -> tuple[Entry, ...]:
    """Every curated model, task by task, the best of each first: what `models.yaml` of each task's folder lists."""
    return tuple(
        Entry.model_validate({**entry, "task": task})
        for task in NAMES
        if (listed := resources.files("serve.tasks").joinpath(task, "models.yaml")).is_file()
        for entry in yaml.safe_load(listed.read_text("utf-8"))
    )


def entry_named(name: str) -> Entry | None:
    """The curated model of a name; for `owner/name` any repository of the hub with a CTranslate2 model."""
    known = next((entry for entry in catalogue() if name in (entry.name, entry.folder)), None)
    if known is not None or name.count("/") != 1:
        return known
    by_repository = (entry for entry in catalogue() if [part.repository for part in entry.parts] == [name])
    return next(by_repository, None) or Entry(
        name=name, task=REQUIRED[0].name, title=name, licence="", parts=(Part(repository=name, files="ct2"),)
    )


def task_of(folder: Path) -> str | None:
    """The task of a model's folder by its files; None where it holds no model of ours."""
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set[str]()
    by_need = sorted(TASKS, key=lambda each: each.is_required)
    return next((each.task.name for each in by_need if each.holds_model(folder, names)), None)
