"""What an installation can do at one task right now: the loaded model, and a model being downloaded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath

from serve.messages import EngineInfo

TRANSCRIPTION = "transcription"

OFFLINE_ENGINE = "pocketsphinx"

_OFFLINE_MODEL = "en-us"
_FAMILIES = {"whisper": "Whisper"}

FETCH_EVENT = "model.fetch"
"""Log event of a download that people should see; the terminal shows its field `sentence` unchanged."""


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
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Capability:
    """One task of an installation. `loaded` is None while its model is still starting."""

    task: str
    loaded: EngineInfo | None = None
    fetch: ModelFetch | None = None


def knows_language(loaded: EngineInfo, code: str) -> bool:
    """Whether the engine handles a language, given by its Whisper code ("en", "is")."""
    return not loaded.languages or code in loaded.languages


def engine_label(engine: str, model: str) -> str:
    """The engine and its model in words: `whisper`, `/models/whisper-is` -> "Whisper is".

    A model may be named by its folder, whose location only the administrator may see.
    """
    if engine == OFFLINE_ENGINE:
        # Beside models of single languages its name lists those, and more than English works.
        return "PocketSphinx (built in, English only)" if model == _OFFLINE_MODEL else "PocketSphinx (built in)"
    name = PurePath(model).name
    for prefix in ("faster-whisper-", "whisper-"):
        name = name.removeprefix(prefix)
    return " ".join(part for part in (_FAMILIES.get(engine, engine), name) if part and part != engine)
