"""Loads the speech engine a profile names, or the best one that can be loaded, and records why it is that one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from cluster.resources import cores
from cluster.sentences import paragraph
from serve.core.models.model_memory import ModelMemory
from serve.core.sentences import ON_CPU
from serve.core.settings import ModelSettings
from serve.tasks.transcription.annotated import AnnotatedEngine
from serve.tasks.transcription.by_language import ByLanguageEngine
from serve.tasks.transcription.denoiser.denoiser import Denoiser
from serve.tasks.transcription.denoiser.engine import DenoisedEngine
from serve.tasks.transcription.engines import AUTO, WHISPER_TORCH
from serve.tasks.transcription.models import TranscriptionChoice, choose_transcription
from serve.tasks.transcription.on_demand import OnDemandEngine
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.punctuation.engine import LANGUAGE, PunctuatedEngine
from serve.tasks.transcription.punctuation.restorer import Restorer
from serve.tasks.transcription.remote.engine import RemoteSpeechEngine
from serve.tasks.transcription.remote.settings import SpeechSettings
from serve.tasks.transcription.sentences import (
    DENOISES,
    FOR_LANGUAGE,
    NOT_AROUND,
    OFFLINE,
    RESTORES,
    SHERPA_NOT_LOADED,
    WHISPER_NOT_LOADED,
)
from serve.tasks.transcription.sherpa.engine import SherpaEngine
from serve.tasks.transcription.whisper.engine import WhisperEngine
from serve.tasks.transcription.whisper_search import Found

if TYPE_CHECKING:
    from serve.tasks.transcription.engine import TranscriptionEngine
    from serve.tasks.transcription.on_demand import UnloadableEngine

log = structlog.get_logger(__name__)

CPU = ("cpu", "int8")


def load_transcription(
    profile: TranscriptionProfile, settings: ModelSettings, models_root: Path
) -> TranscriptionEngine:
    """The best engine whose model is on this machine.

    Raises ModelMissing, or the error of its loading, when the profile allows only one engine.
    """
    endpoint = SpeechSettings().endpoint
    choice = choose_transcription(profile, settings, models_root, endpoint, may_download=False)
    return load_chosen(profile, settings, choice)


def load_chosen(
    profile: TranscriptionProfile, settings: ModelSettings, choice: TranscriptionChoice, *, strict: bool = False
) -> TranscriptionEngine:
    """The engine of a choice; another one, in the end the offline one, replaces a model that cannot be loaded.

    With `strict`, or where the profile allows only one engine, the error of its loading is raised instead.
    """
    loader = _Loader(profile, settings, profile.workers or cores())
    is_only = strict or profile.engine != AUTO
    sherpa, problems = _sherpa(choice, loader, strict=is_only)
    around = _Around(choice)
    plain = _default(choice, loader, sherpa, problems, strict=is_only)
    default = around.engine(plain)
    special: dict[str, TranscriptionEngine] = {}
    rest: TranscriptionEngine | None = None
    for each, languages in sherpa:
        if each is plain:
            continue
        engine = around.engine(each)
        special |= dict.fromkeys(sorted(languages), engine)
        rest = rest or (None if languages else engine)
    memory = ModelMemory(settings.models_memory_mb * 2**20)
    for language, found in choice.by_language.items():
        try:
            whisper = loader.whisper(found, FOR_LANGUAGE(language=language, reason=found.reason))
            special[language] = around.engine(OnDemandEngine(f"{found.name} for {language}", whisper, memory))
        except Exception as failure:
            if strict:
                raise
            log.error("engine.not_loaded", model=found.name, language=language, error=str(failure))
    loaded = ByLanguageEngine(default, special, rest) if special or rest else default
    info = loaded.info
    log.info("engine.loaded", engine=info.engine, model=info.model, device=info.device, reason=info.reason)
    return loaded


_Loaded = list[tuple[SherpaEngine, frozenset[str]]]
"""Models of sherpa-onnx and the languages that each is used for; empty: those that no other one knows."""


def _sherpa(choice: TranscriptionChoice, loader: _Loader, *, strict: bool) -> tuple[_Loaded, list[str]]:
    """The loaded models, and a sentence about each that cannot be loaded."""
    loaded: _Loaded = []
    problems: list[str] = []
    for found in choice.sherpa:
        languages = choice.languages_of(found)
        if found.languages and not languages:
            continue
        try:
            engine = SherpaEngine(
                found.family, found.path, name=found.name, reason=choice.reason, parallel=loader.parallel
            )
        except Exception as failure:
            if strict:
                raise
            log.error("engine.not_loaded", model=found.name, error=str(failure))
            problems.append(SHERPA_NOT_LOADED(family=found.title, name=found.name, failure=str(failure)))
            continue
        loaded.append((engine, languages))
    return loaded, problems


def _default(
    choice: TranscriptionChoice, loader: _Loader, sherpa: _Loaded, problems: list[str], *, strict: bool
) -> TranscriptionEngine:
    reason = paragraph(choice.reason, *problems)
    if choice.endpoint is not None:
        return RemoteSpeechEngine(choice.endpoint, reason=reason)
    if choice.whisper is not None:
        try:
            return loader.whisper(choice.whisper, reason)
        except Exception as failure:
            if strict:
                raise
            log.error("engine.not_loaded", model=choice.whisper.name, error=str(failure))
            reason = paragraph(WHISPER_NOT_LOADED(name=choice.whisper.name, failure=str(failure)), *problems)
            if not sherpa:
                reason = paragraph(OFFLINE, reason)
    if sherpa:
        # One that takes every language detects what nobody named, as far as its model does.
        engine = next((each for each, languages in sherpa if not languages), sherpa[0][0])
        engine.explain(reason)
        return engine
    return PocketSphinxEngine(reason=reason, parallel=loader.parallel)


class _Around:
    """Puts other models of the choice around an engine: one that takes noise out, one that restores punctuation.

    Each is loaded with the first engine that needs it. One that cannot be loaded is left out, and the record of each
    engine that needed it says why.
    """

    def __init__(self, choice: TranscriptionChoice) -> None:
        self._punctuation, self._noisy = choice.punctuation, choice.denoiser
        self._restorer: Restorer | None = None
        self._denoiser: Denoiser | None = None
        self._problems: dict[str, str] = {}
        """By the model's name."""

    def engine(self, engine: TranscriptionEngine) -> TranscriptionEngine:
        return self._denoised(self._punctuated(engine))

    def _punctuated(self, engine: TranscriptionEngine) -> TranscriptionEngine:
        info = engine.info
        if self._punctuation is None or info.punctuates or (info.languages and LANGUAGE not in info.languages):
            return engine
        name = self._punctuation.name
        if self._restorer is None and name not in self._problems:
            try:
                self._restorer = Restorer(self._punctuation)
            except Exception as failure:
                self._note(name, failure)
        if self._restorer is None:
            return AnnotatedEngine(engine, self._problems[name])
        return PunctuatedEngine(engine, self._restorer, RESTORES(name=name))

    def _denoised(self, engine: TranscriptionEngine) -> TranscriptionEngine:
        if self._noisy is None:
            return engine
        name = self._noisy.name
        if self._denoiser is None and name not in self._problems:
            try:
                self._denoiser = Denoiser(self._noisy)
            except Exception as failure:
                self._note(name, failure)
        if self._denoiser is None:
            return AnnotatedEngine(engine, self._problems[name])
        return DenoisedEngine(engine, self._denoiser, DENOISES(name=name))

    def _note(self, name: str, failure: Exception) -> None:
        log.error("engine.not_loaded", model=name, error=str(failure))
        self._problems[name] = NOT_AROUND(name=name, failure=str(failure))


@dataclass(frozen=True, slots=True)
class _Loader:
    profile: TranscriptionProfile
    settings: ModelSettings
    parallel: int

    def whisper(self, found: Found, reason: str) -> UnloadableEngine:
        """The model on the profile's device, else on the CPU."""
        device, compute_type = self.profile.device, self.profile.compute_type
        try:
            return self._loaded(found, reason, device, compute_type, self.parallel)
        except Exception as failure:
            if device == "cpu":
                raise
            log.error("engine.no_gpu", model=found.name, error=str(failure))
            reason = paragraph(reason, ON_CPU(failure=str(failure)))
            return self._loaded(found, reason, *CPU, cores())

    def _loaded(self, found: Found, reason: str, device: str, compute_type: str, parallel: int) -> UnloadableEngine:
        if found.engine == WHISPER_TORCH:
            # Imported here: torch takes seconds, and most installations do not have it.
            from serve.tasks.transcription.whisper_torch.engine import WhisperTorchEngine

            return WhisperTorchEngine(
                found.path,
                name=found.name,
                reason=reason,
                device=device,
                compute_type=compute_type,
                slots=self.profile.max_batch,
                parallel=parallel,
                adaptive=self.profile.adaptive_context,
            )
        return WhisperEngine(
            found.path,
            name=found.name,
            reason=reason,
            device=device,
            compute_type=compute_type,
            parallel=parallel,
            adaptive=self.profile.adaptive_context,
            avx512=self.settings.avx512,
            threads=self.profile.threads,
            beam_size=self.profile.beam_size,
        )
