"""Finds the speech model: a local folder, else the hub cache, else the hub, else the offline engine, and says why.

Nothing here loads a model. On the machine of `sagascript up`, `serve.download` downloads beside the running engine;
where the replicas run on other machines, each downloads its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import structlog

from cluster.sentences import clauses, paragraph
from serve.core.models.model_files import MODEL_FILE, ModelMissing
from serve.core.models.suitability import suitable, this_machine
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engines import AUTO, WHISPER, WHISPER_TORCH
from serve.tasks.transcription.messages import OFFLINE_ENGINE, REMOTE_ENGINE
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.remote.sentences import REQUIRED, USED
from serve.tasks.transcription.remote.settings import SpeechEndpoint
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
    NO_SHERPA,
    NO_TOKENIZER,
    NO_WHISPER,
    NONE_IN_CACHE,
    NONE_IN_FOLDER,
    NOT_AVAILABLE,
    NOT_GIVEN,
    NOWHERE,
    OFFLINE_CHOSEN,
    ONLY_SHERPA,
    PROCESSORS_ONLY,
    REQUIRES_SHERPA,
    REQUIRES_WHISPER,
    REQUIRES_WHISPER_TORCH,
    SHERPA_FOR_REST,
    SHERPA_NOT_USED,
    SHERPA_USED,
    TORCH_FILES,
    USED_FOR,
    WHISPER_USED,
)
from serve.tasks.transcription.sherpa.choice import FoundSherpa, SherpaSearch, find_sherpa
from serve.tasks.transcription.sherpa.registry import BY_NAME
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


@dataclass(frozen=True, slots=True)
class TranscriptionChoice:
    """Which speech engines to load; without any model it is the offline engine. `reason` is for people, in sentences.

    `by_language` are Whisper models of single languages. They come before `sherpa`, whose models come before `whisper`
    or the endpoint in its place. `missing` names the models that are not on this machine but that the hub may have.
    """

    whisper: Found | None
    by_language: dict[str, Found]
    reason: str
    missing: tuple[str, ...] = ()
    sherpa: tuple[FoundSherpa, ...] = ()
    endpoint: SpeechEndpoint | None = None

    @property
    def models(self) -> list[Found | FoundSherpa]:
        """The models to load, that of every language first."""
        return [*([self.whisper] if self.whisper else []), *self.by_language.values(), *self.sherpa]

    def languages_of(self, found: FoundSherpa) -> frozenset[str]:
        """Those that no model of their own takes."""
        return found.languages - self.by_language.keys()


def may_use_hub(profile: TranscriptionProfile, settings: ModelSettings) -> bool:
    """Whether this installation downloads models: by its setting, else by the profile."""
    return profile.hub if settings.allow_hub is None else settings.allow_hub


def choose_transcription(
    profile: TranscriptionProfile,
    settings: ModelSettings,
    models_root: Path,
    endpoint: SpeechEndpoint | None = None,
    *,
    may_download: bool = True,
) -> TranscriptionChoice:
    """The endpoint where there is one, else the best engine whose model is there or can be downloaded now.

    Raises ModelMissing when the profile requires a kind of engine and there is none.
    """
    if profile.engine == OFFLINE_ENGINE:
        return TranscriptionChoice(None, {}, OFFLINE_CHOSEN)
    if profile.engine == REMOTE_ENGINE and endpoint is None:
        raise ModelMissing(REQUIRED)
    if profile.engine in (AUTO, REMOTE_ENGINE) and endpoint is not None:
        return _beside_endpoint(profile, settings, models_root, endpoint, may_download=may_download)
    if (family := BY_NAME.get(profile.engine)) is not None:
        only = find_sherpa(settings, models_root, only=family.name)
        if not only.found:
            title = str(family.label.family)
            why = only.problems or (NO_SHERPA(family=title, name=family.pull),)
            raise ModelMissing(paragraph(REQUIRES_SHERPA(family=title), *why))
        return TranscriptionChoice(None, {}, paragraph(*_about(only)), sherpa=only.found)
    sherpa = find_sherpa(settings, models_root) if profile.engine == AUTO else SherpaSearch()
    search = _Search(profile, settings, models_root, may_download=may_download)
    by_language = search.by_language()
    default = search.default()
    missed = [NOT_AVAILABLE(tried=clauses(*search.tried))] if search.tried else []
    missing = tuple(dict.fromkeys(search.missing))
    if default is not None:
        used = sherpa
        about = _about(sherpa)
        if profile.device == "cuda" and not settings.sherpa_models:
            used = SherpaSearch()
            about = [
                SHERPA_NOT_USED(family=each.title, name=each.name, reason=PROCESSORS_ONLY) for each in sherpa.found
            ]
        reason = paragraph(WHISPER_USED(name=default.name, reason=default.reason), *missed, *about)
        return TranscriptionChoice(default, by_language, reason, missing, used.found)
    if profile.engine in (WHISPER, WHISPER_TORCH):
        required = REQUIRES_WHISPER_TORCH if profile.engine == WHISPER_TORCH else REQUIRES_WHISPER
        raise ModelMissing(paragraph(required, *missed))
    known = [USED_FOR(name=found.name, language=language) for language, found in by_language.items()]
    if sherpa.found:
        reason = paragraph(*_about(sherpa), ONLY_SHERPA, *missed, *known)
        return TranscriptionChoice(None, by_language, reason, missing, sherpa.found)
    reason = paragraph(NO_WHISPER, *missed, *known, *sherpa.problems)
    return TranscriptionChoice(None, by_language, reason, missing)


def _beside_endpoint(
    profile: TranscriptionProfile,
    settings: ModelSettings,
    models_root: Path,
    endpoint: SpeechEndpoint,
    *,
    may_download: bool,
) -> TranscriptionChoice:
    """The endpoint, and the local models that settings name for some languages. Models in the folder rest."""
    search = _Search(profile, settings, models_root, may_download=may_download)
    by_language = search.by_language()
    sherpa = find_sherpa(settings, models_root) if settings.sherpa_models else SherpaSearch()
    missed = [NOT_AVAILABLE(tried=clauses(*search.tried))] if search.tried else []
    reason = paragraph(USED(host=endpoint.host), *_about(sherpa), *missed)
    return TranscriptionChoice(None, by_language, reason, tuple(search.missing), sherpa.found, endpoint)


def _about(search: SherpaSearch) -> list[str]:
    """A sentence about each model that was found, and about each that cannot be used."""
    return [*(_use(each) for each in search.found), *search.problems]


def _use(found: FoundSherpa) -> str:
    if not found.languages:
        return SHERPA_FOR_REST(family=found.title, name=found.name, reason=found.reason)
    languages = ", ".join(sorted(found.languages))
    return SHERPA_USED(family=found.title, name=found.name, languages=languages, reason=found.reason)


class _Search:
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
