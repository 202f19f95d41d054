"""Looks for Whisper models: in the models folder, in the hub cache, on the hub."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import structlog

from serve.core.models.model_files import MODEL_FILE
from serve.core.models.models_folder import model_folders
from serve.core.models.suitability import suitable, this_machine
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engines import WHISPER, WHISPER_TORCH
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.sentences import (
    BEAM_OF_ONE,
    DOWNLOADED,
    FOR_TORCH,
    IN_CACHE,
    IN_FOLDER,
    LACKS_FILES,
    NAMED_FOLDER,
    NAMED_IN_CACHE,
    NAMED_IN_FOLDER,
    NO_FOLDER_WITH,
    NO_HUB,
    NO_TOKENIZER,
    NONE_IN_CACHE,
    NONE_IN_FOLDER,
    NOT_GIVEN,
    NOWHERE,
    TORCH_FILES,
)
from serve.tasks.transcription.whisper_torch.folder import holds_whisper, missing_libraries

log = structlog.get_logger(__name__)

TOKENIZER_FILE = "tokenizer.json"
"""faster-whisper fetches OpenAI's from the hub where a folder has none."""


@dataclass(frozen=True, slots=True)
class Found:
    """A model on this machine. `reason` is a clause such as "its folder is in the models folder"."""

    name: str
    path: Path
    reason: str
    engine: str = WHISPER


def may_use_hub(profile: TranscriptionProfile, settings: ModelSettings) -> bool:
    """Whether this installation downloads models: by its setting, else by the profile."""
    return profile.hub if settings.allow_hub is None else settings.allow_hub


class WhisperSearch:
    """Looks for models and records where each was missing: `tried` in clauses, `missing` by name."""

    def __init__(
        self, profile: TranscriptionProfile, settings: ModelSettings, models_root: Path, *, may_download: bool
    ) -> None:
        self.tried: list[str] = []
        self.missing: list[str] = []
        self._profile = profile
        self._settings = settings
        self._root = models_root
        self._may_download = may_download

    def by_language(self) -> dict[str, Found]:
        """The models that settings name for single languages."""
        named = self._settings.whisper_models.items()
        return {language: found for language, name in named if (found := self.named(name)) is not None}

    def default(self) -> Found | None:
        """The model of every language."""
        if self._settings.whisper_model is not None:
            return self.named(self._settings.whisper_model)
        models = self._profile.models
        for name in ("whisper", *models):
            if (found := self._local(name, IN_FOLDER)) is not None:
                return found
        self.tried.append(NONE_IN_FOLDER(folder=str(self._root)))
        if self._profile.engine == WHISPER_TORCH:
            return None
        for name in models:
            if (folder := _cached(name)) is not None and self._has_tokenizer(folder):
                return Found(name, folder, IN_CACHE)
        self.tried.append(NONE_IN_CACHE(names=", ".join(models)))
        return self._from_hub(suitable(models, this_machine(self._profile.device)))

    def everywhere(self) -> list[Found]:
        """Every model of the models folder, the profile's models in the hub cache, and the one that settings name."""
        engines = {each: self._engine_of(each) for each in model_folders(self._root)}
        local = [Found(each.name, each, IN_FOLDER, engine) for each, engine in engines.items() if engine is not None]
        cached = [
            Found(name, folder, IN_CACHE)
            for name in self._profile.models
            if (folder := _cached(name)) is not None and self._has_tokenizer(folder)
        ]
        chosen = [each for each in (*self.by_language().values(), self.default()) if each is not None]
        found: dict[Path, Found] = {}
        for each in (*local, *cached, *chosen):
            found.setdefault(each.path.resolve(), each)
        return list(found.values())

    def named(self, name: str) -> Found | None:
        """A model that a setting names: a folder, a folder's name in the models folder, a size or a hub name."""
        tried = len(self.tried)
        if (engine := self._engine_of(Path(name))) is not None:
            return Found(name, Path(name).resolve(), NAMED_FOLDER, engine)
        if (found := self._local(name, NAMED_IN_FOLDER)) is not None:
            return found
        if Path(name).is_absolute():
            if len(self.tried) == tried:
                self.tried.append(LACKS_FILES(folder=name, files=self._wanted()))
            return None
        # The hub's Whisper models are looked for in CTranslate2's form only.
        if self._profile.engine == WHISPER_TORCH:
            self.tried.append(NO_FOLDER_WITH(name=name, files=self._wanted()))
            return None
        if (folder := _cached(name)) is not None and self._has_tokenizer(folder):
            return Found(name, folder, NAMED_IN_CACHE)
        self.tried.append(NOWHERE(name=name))
        return self._from_hub(name)

    def _local(self, name: str, reason: str) -> Found | None:
        """The folder `name`, `whisper-name` or `faster-whisper-name` in the models folder, when it holds a model."""
        for spelling in (name, f"whisper-{name}", f"faster-whisper-{name}"):
            if (engine := self._engine_of(self._root / spelling)) is not None:
                return Found(name, self._root / spelling, reason, engine)
        return None

    def _engine_of(self, folder: Path) -> str | None:
        """The engine that the profile allows for a folder's weights, CTranslate2 first; None when there is none."""
        if self._profile.engine != WHISPER_TORCH and (folder / MODEL_FILE).is_file():
            if self._has_tokenizer(folder):
                return WHISPER
            self.tried.append(NO_TOKENIZER(folder=str(folder), file=TOKENIZER_FILE))
            return None
        if self._profile.engine == WHISPER or not holds_whisper(folder):
            return None
        beams = self._profile.beam_size
        problem = missing_libraries() if beams == 1 else BEAM_OF_ONE(beams=beams)
        if problem is None:
            return WHISPER_TORCH
        self.tried.append(FOR_TORCH(folder=str(folder), problem=problem))
        return None

    def _has_tokenizer(self, folder: Path) -> bool:
        """Or may get it from the hub."""
        return (folder / TOKENIZER_FILE).is_file() or may_use_hub(self._profile, self._settings)

    def _wanted(self) -> str:
        return TORCH_FILES if self._profile.engine == WHISPER_TORCH else MODEL_FILE

    def _from_hub(self, name: str) -> Found | None:
        if self._may_download and (found := self._from_network(name)) is not None:
            return found
        self.missing.append(name)
        return None

    def _from_network(self, name: str) -> Found | None:
        if not may_use_hub(self._profile, self._settings):
            self.tried.append(NO_HUB)
            return None
        if (problem := hub_problem(self._settings.hub_timeout_s)) is not None:
            self.tried.append(problem)
            return None
        return _download(name, self.tried)


def _cached(name: str) -> Path | None:
    from faster_whisper.utils import download_model

    # An incomplete cache and names that the hub does not allow raise several unrelated exceptions.
    try:
        folder = Path(download_model(name, local_files_only=True))
    except Exception:
        return None
    return folder if (folder / MODEL_FILE).is_file() else None


def _download(name: str, tried: list[str]) -> Found | None:
    from faster_whisper.utils import download_model

    log.info("model.downloading", model=name)
    try:
        return Found(name, Path(download_model(name)), DOWNLOADED)
    except Exception as failure:
        log.warning("model.download_failed", model=name, error=str(failure))
        tried.append(NOT_GIVEN(name=name, failure=type(failure).__name__))
        return None


@lru_cache
def hub_problem(timeout_s: float) -> str | None:
    """Why the hub cannot be used; None when it can. Checked once in a process: without network it takes time."""
    # Imported here: the hub's library takes 0.3 s, and nothing needs it where a model is found.
    from serve.core.models.hub_access import why_unreachable

    return why_unreachable(timeout_s)
