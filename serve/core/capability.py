"""What an installation can do at one task right now: the loaded model, and a model being downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from cluster.stored_sentences import SentenceText
from cluster.wording.message import Message
from serve.core.messages import EngineInfo, LanguagePair

MODELS_FOLDER = Message("models.folder", "the models folder of this installation")
"""How pages name it: its place on the server is for the administrator alone."""

FETCH_EVENT = "model.fetch"
"""Log event of a download that people should see; the terminal shows its field `sentence` unchanged."""
TASK_EVENT = "task.status"
"""Log event of a task that changed; the terminal shows its field `sentence` unchanged."""


class FetchState(StrEnum):
    """The state of a model download."""

    RUNNING = "running"
    PAUSED = "paused"
    """The hub or the network does not answer; the download resumes by itself."""
    READY = "ready"
    """On disk and verified; it is loaded next."""
    FAILED = "failed"
    OFF = "off"
    """There is no model, and downloads are off."""


@dataclass(frozen=True, slots=True)
class ModelFetch:
    """A model that is being downloaded in the background.

    `bytes_total` is 0 while unknown. `sentence` tells people what happens or what to do.
    """

    model: str
    state: FetchState
    bytes_done: int = 0
    bytes_total: int = 0
    sentence: SentenceText = ""


class TaskState(StrEnum):
    """Whether a task can be used."""

    STARTING = "starting"
    READY = "ready"
    IDLE = "idle"
    """No model is in memory; the first request loads one."""
    MISSING = "missing"
    """No engine of the task can run here."""
    FAILED = "failed"
    """An engine should run and does not; the deployment is tried again."""


@dataclass(frozen=True, slots=True)
class TaskStatus:
    """`sentence` says why a task is missing or failed and what to do. It names no folder of the server."""

    state: TaskState
    sentence: SentenceText = ""


@dataclass(frozen=True, slots=True)
class Capability:
    """One task of an installation.

    `loaded` is the engine that runs or that the first request starts; None while it is starting and where none can run.
    `status` is None until the installation has looked.
    """

    task: str
    loaded: EngineInfo | None = None
    fetch: ModelFetch | None = None
    status: TaskStatus | None = None

    @property
    def state(self) -> TaskState:
        if self.status is not None:
            return self.status.state
        return TaskState.STARTING if self.loaded is None else TaskState.READY

    @property
    def sentence(self) -> str:
        return self.status.sentence if self.status else ""

    @property
    def may_work(self) -> bool:
        """Whether a job of the task may be queued. While the task starts, the job itself checks when it begins."""
        return self.state not in (TaskState.MISSING, TaskState.FAILED)


def knows_language(loaded: EngineInfo, code: str) -> bool:
    """Whether the engine handles a language, given by its Whisper code ("en", "is")."""
    return not loaded.languages or code in loaded.languages or _engine_of_rest(loaded) is not None


def engine_for(loaded: EngineInfo, code: str | None, name: str = "") -> EngineInfo:
    """The engine that transcribes a language, given by its Whisper code; None where nobody knows it.

    With a `name` it is the engine of that name, whatever the language.
    """
    if name and (wanted := engine_named(loaded, name)) is not None:
        return wanted
    named = next((engine for engine in loaded.by_language if code in engine.languages), None)
    if named is not None:
        return named
    is_unknown = code is not None and loaded.languages and code not in loaded.languages
    return (_engine_of_rest(loaded) if is_unknown else None) or loaded


def engine_named(loaded: EngineInfo, name: str) -> EngineInfo | None:
    """The engine that a request may name so; None where there is none any more."""
    return next((engine for engine in loaded.others if engine.name == name), None)


def _engine_of_rest(loaded: EngineInfo) -> EngineInfo | None:
    """The engine that takes every language that no other one knows."""
    return next((engine for engine in loaded.by_language if not engine.languages), None)


def pair_from_to(loaded: EngineInfo, source: str, target: str) -> LanguagePair | None:
    """How the engine translates between two languages, given without regions; None where it cannot."""
    if loaded.pairs is None:
        both = source != target and knows_language(loaded, source) and knows_language(loaded, target)
        return LanguagePair(source, target) if both else None
    known = (pair for pair in loaded.pairs if (pair.source, pair.target) == (source, target))
    # A direct pair before one that goes through another language.
    return min(known, key=lambda pair: pair.via, default=None)
