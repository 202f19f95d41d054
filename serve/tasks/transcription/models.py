"""Finds the speech model: a local folder, else the hub cache, else the hub, else the offline engine, and says why.

Nothing here loads a model. On the machine of `sagascript up`, `serve.download` downloads beside the running engine;
where the replicas run on other machines, each downloads its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from cluster.sentences import clauses, paragraph
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.tasks.transcription.denoiser.folder import DenoiserModel, find_denoiser
from serve.tasks.transcription.engines import AUTO, WHISPER, WHISPER_TORCH
from serve.tasks.transcription.messages import OFFLINE_ENGINE, REMOTE_ENGINE
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.punctuation.folder import PunctuationModel, find_punctuation
from serve.tasks.transcription.remote.sentences import REQUIRED, USED
from serve.tasks.transcription.remote.settings import SpeechEndpoint
from serve.tasks.transcription.sentences import (
    NO_SHERPA,
    NO_WHISPER,
    NOT_AVAILABLE,
    OFFLINE_CHOSEN,
    ONLY_SHERPA,
    PROCESSORS_ONLY,
    REQUIRES_SHERPA,
    REQUIRES_WHISPER,
    REQUIRES_WHISPER_TORCH,
    SHERPA_FOR_REST,
    SHERPA_NOT_USED,
    SHERPA_USED,
    USED_FOR,
    WHISPER_USED,
)
from serve.tasks.transcription.sherpa.choice import FoundSherpa, SherpaSearch, find_sherpa
from serve.tasks.transcription.sherpa.registry import BY_NAME
from serve.tasks.transcription.whisper_search import Found, WhisperSearch


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
    punctuation: PunctuationModel | None = None
    """What restores punctuation and capitals where an engine writes none."""
    denoiser: DenoiserModel | None = None
    """What takes noise out of the sound, where the profile wants it."""

    @property
    def speech_models(self) -> list[Found | FoundSherpa]:
        """The models that transcribe, that of every language first."""
        return [*([self.whisper] if self.whisper else []), *self.by_language.values(), *self.sherpa]

    @property
    def models(self) -> list[Found | FoundSherpa | PunctuationModel | DenoiserModel]:
        """Everything to load."""
        return [*self.speech_models, *(each for each in (self.punctuation, self.denoiser) if each is not None)]

    def languages_of(self, found: FoundSherpa) -> frozenset[str]:
        """Those that no model of their own takes."""
        return found.languages - self.by_language.keys()


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
    engines = _choose_engines(profile, settings, models_root, endpoint, may_download=may_download)
    return replace(engines, punctuation=find_punctuation(models_root), denoiser=wanted_denoiser(profile, models_root))


def wanted_denoiser(profile: TranscriptionProfile, models_root: Path) -> DenoiserModel | None:
    """A replica that holds a GPU does no such work: its model would wait for the processor."""
    return find_denoiser(models_root) if profile.denoise and profile.device == "cpu" else None


def _choose_engines(
    profile: TranscriptionProfile,
    settings: ModelSettings,
    models_root: Path,
    endpoint: SpeechEndpoint | None,
    *,
    may_download: bool,
) -> TranscriptionChoice:
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
    search = WhisperSearch(profile, settings, models_root, may_download=may_download)
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
    search = WhisperSearch(profile, settings, models_root, may_download=may_download)
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
