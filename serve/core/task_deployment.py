"""How one model task is offered: which engine would run, and the Serve application that runs it.

Each task declares its `DEPLOYMENT` in its `registration.py`, and `registry.py` loads those of `NAMES`. Everything that
deals with all tasks loops over that list: deploying, watching, `doctor`, what pages show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from serve.core.engine_label import EngineLabel
from serve.core.messages import NO_ENGINE, EngineInfo
from serve.core.replica.deployment_profile import DeploymentProfile
from serve.core.sentences import NO_SECTION
from serve.core.settings import ModelSettings
from serve.core.task import ModelTask

if TYPE_CHECKING:
    from ray.serve import Application

SectionT = TypeVar("SectionT", bound=DeploymentProfile)
SectionIn = TypeVar("SectionIn", contravariant=True)


class Sections(Protocol):
    """A profile, as far as a task sees it."""

    @property
    def name(self) -> str: ...

    def section(self, task: str) -> DeploymentProfile | None:
        """The section of a task, by the task's name."""
        ...


class BuildApp(Protocol[SectionIn]):
    """Builds the Serve application of a task."""

    def __call__(
        self, section: SectionIn, settings: ModelSettings, models_root: Path, *, replicas_download: bool
    ) -> Application:
        """`replicas_download`: replicas on machines that share no folder may download a missing model themselves."""
        ...


def _no_model(_folder: Path, _names: Set[str]) -> bool:
    return False


def has_weights(names: Set[str]) -> bool:
    """Whether files of these names are weights of CTranslate2 or transformers."""
    return any(name == "model.bin" or name.endswith(".safetensors") for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskDeployment(Generic[SectionT]):
    """One task. The profile's section of its name has the type `SectionT`.

    Importing the module that declares it must not import an engine or Ray Serve: web processes and the dispatcher do.
    """

    task: ModelTask[Any, Any]
    section_type: type[SectionT]
    title: str
    """The work in words, such as "Speech recognition"."""
    explain: Callable[[SectionT, ModelSettings, Path], EngineInfo]
    """Which engine would run, what it can do and why, without loading a model or asking the hub.

    Where none can run, its engine is `NO_ENGINE` and its reason says what to do. It is called again whenever the models
    folder changes, and must take milliseconds after its first call.
    """
    build_app: BuildApp[SectionT]
    is_required: bool = False
    """Whether the product is of no use without it."""
    reloads_itself: bool = False
    """Whether a running replica notices new models in the models folder; else it is deployed again."""
    engines: Mapping[str, EngineLabel] = field(default_factory=dict)
    """How people know the engines, by name."""
    model_forms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Files of a repository that the engines read, by the form of the model; others are not downloaded."""
    holds_model: Callable[[Path, Set[str]], bool] = _no_model
    """Whether a folder with files of these names holds a model of the task. A required task is tried last."""

    def explain_in(self, profile: Sections, settings: ModelSettings, models_root: Path) -> EngineInfo:
        """`explain` for a whole profile, which may have no section for the task."""
        section: Any = profile.section(self.task.name)
        if section is None:
            reason = NO_SECTION(profile=profile.name, section=self.task.name)
            return EngineInfo(self.task.name, NO_ENGINE, "", "", reason)
        return self.explain(section, settings, models_root)

    def application(
        self, profile: Sections, settings: ModelSettings, models_root: Path, *, replicas_download: bool = False
    ) -> Application | None:
        """The application to deploy; None where no engine of the task can run, so that no replica starts for nothing.

        A required task is deployed anyway: its replica says what is missing.
        """
        section: Any = profile.section(self.task.name)
        if section is None:
            return None
        if not self.is_required and not self.explain(section, settings, models_root).can_run:
            return None
        return self.build_app(section, settings, models_root, replicas_download=replicas_download)
