"""Profiles: which engines run where, in one YAML file for each class of machine."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from cluster.wording.message import Wording
from serve.core.replica.deployment_profile import DeploymentProfile
from serve.core.sentences import NO_SECTION
from serve.tasks.registry import TASKS

AUTO = "auto"
BUNDLED = ("embedded", "cpu", "gpu")

NO_PROFILE = Wording(
    "profile.no_profile", "There is no profile “{name}”. Use auto, {known}, or the path of a YAML file."
)
UNREADABLE = Wording("profile.unreadable", "The profile {path} cannot be read: {failure}.")
NOT_YAML = Wording("profile.not_yaml", "The profile “{name}” is not YAML: {failure}")
NO_SECTIONS = Wording("profile.no_sections", "The profile “{name}” must hold one section for each task: {known}.")
UNKNOWN_SECTIONS = Wording(
    "profile.unknown_sections",
    "The profile “{name}” has sections that no task reads: {named}. Sections are: {known}.",
)
WRONG_ENTRIES = Wording("profile.wrong_entries", "The profile “{name}” has wrong entries: {problems}.")

SectionT = TypeVar("SectionT", bound=DeploymentProfile)


class BadProfile(ValueError):
    """A profile that does not exist or cannot be read; the message says what to change."""


class Profile(BaseModel):
    """Everything a profile file holds: one section for each of `TASKS`, under the task's name.

    Only required tasks need one; a task without a section is not deployed.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str

    def section(self, task: str) -> DeploymentProfile | None:
        """The section of a task, by the task's name."""
        section: DeploymentProfile | None = getattr(self, task, None)
        return section

    def get(self, section_type: type[SectionT]) -> SectionT | None:
        """The section of a type, or None where the profile has none."""
        return next((each for _, each in self if isinstance(each, section_type)), None)

    def require(self, section_type: type[SectionT]) -> SectionT:
        """The section of a type. Raises BadProfile."""
        section = self.get(section_type)
        if section is None:
            raise BadProfile(NO_SECTION(profile=self.name, section=section_type.__name__))
        return section


_SECTIONS: dict[str, Any] = {
    each.task.name: (each.section_type, ...) if each.is_required else (each.section_type | None, None) for each in TASKS
}
_Complete = create_model("Profile", __base__=Profile, **_SECTIONS)


def profile_of(name: str, sections: Mapping[str, object]) -> Profile:
    """A profile of these sections by task. Raises pydantic's `ValidationError`."""
    return _Complete.model_validate({"name": name, **sections})


def load_profile(name: str) -> Profile:
    """The profile `embedded`, `cpu` or `gpu`, the one that suits this machine (`auto`), or that of a YAML file.

    Raises BadProfile.
    """
    if name == AUTO:
        name = "gpu" if gpu_is_there() else "embedded"
    if name in BUNDLED:
        text = resources.files("serve").joinpath("profiles", f"{name}.yaml").read_text("utf-8")
        return _parse(name, text)
    path = Path(name)
    if path.suffix not in {".yaml", ".yml"}:
        raise BadProfile(NO_PROFILE(name=name, known=", ".join(BUNDLED)))
    try:
        text = path.read_text("utf-8")
    except OSError as missing:
        raise BadProfile(UNREADABLE(path=str(path), failure=str(missing.strerror))) from missing
    return _parse(path.stem, text)


def _parse(name: str, text: str) -> Profile:
    try:
        sections = yaml.safe_load(text)
    except yaml.YAMLError as broken:
        raise BadProfile(NOT_YAML(name=name, failure=str(broken))) from broken
    tasks = _SECTIONS.keys()
    known = ", ".join(sorted(tasks))
    if not isinstance(sections, dict):
        raise BadProfile(NO_SECTIONS(name=name, known=known))
    if unknown := [str(section) for section in sections if section not in tasks]:
        named = ", ".join(f"“{section}”" for section in unknown)
        raise BadProfile(UNKNOWN_SECTIONS(name=name, named=named, known=known))
    try:
        return profile_of(name, sections)
    except ValidationError as wrong:
        problems = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in wrong.errors())
        raise BadProfile(WRONG_ENTRIES(name=name, problems=problems)) from wrong


def gpu_is_there() -> bool:
    """Whether the Ray cluster this process has joined, else this machine, has a GPU."""
    # Importing Ray takes a second, and a process in a cluster has imported it already.
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        resources_there = ray.cluster_resources()
        return bool(resources_there.get("GPU", 0) > 0)
    import ctranslate2

    return bool(ctranslate2.get_cuda_device_count() > 0)
