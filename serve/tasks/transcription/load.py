"""Loads the speech engine a profile names, or the best one that can be loaded, and records why it is that one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from cluster.resources import cores
from cluster.sentences import paragraph
from serve.core.models.model_memory import ModelMemory
from serve.core.sentences import ON_CPU
from serve.core.settings import ModelSettings
from serve.tasks.transcription.by_language import ByLanguageEngine
from serve.tasks.transcription.models import WHISPER, WHISPER_TORCH, Found, TranscriptionChoice, choose_transcription
from serve.tasks.transcription.on_demand import OnDemandEngine
from serve.tasks.transcription.parakeet.engine import ParakeetEngine
from serve.tasks.transcription.parakeet.info import PARAKEET
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.remote.engine import RemoteSpeechEngine
from serve.tasks.transcription.remote.settings import SpeechSettings
from serve.tasks.transcription.sentences import FOR_LANGUAGE, OFFLINE, PARAKEET_NOT_LOADED, WHISPER_NOT_LOADED
from serve.tasks.transcription.whisper.engine import WhisperEngine

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
    is_only = strict or profile.engine in (WHISPER, WHISPER_TORCH, PARAKEET)
    parakeet, problem = _parakeet(choice, loader, strict=is_only)
    default = _default(choice, loader, parakeet, problem, strict=is_only)
    special: dict[str, TranscriptionEngine] = {}
    if parakeet is not None and parakeet is not default:
        special = dict.fromkeys(sorted(choice.languages_of_parakeet), parakeet)
    memory = ModelMemory(settings.models_memory_mb * 2**20)
    for language, found in choice.by_language.items():
        try:
            engine = loader.whisper(found, FOR_LANGUAGE(language=language, reason=found.reason))
            special[language] = OnDemandEngine(f"{found.name} for {language}", engine, memory)
        except Exception as failure:
            if strict:
                raise
            log.error("engine.not_loaded", model=found.name, language=language, error=str(failure))
    loaded = ByLanguageEngine(default, special) if special else default
    info = loaded.info
    log.info("engine.loaded", engine=info.engine, model=info.model, device=info.device, reason=info.reason)
    return loaded


def _parakeet(choice: TranscriptionChoice, loader: _Loader, *, strict: bool) -> tuple[ParakeetEngine | None, str]:
    """The loaded model, or a sentence that says why it cannot be loaded; neither where none was chosen."""
    found = choice.parakeet
    if found is None:
        return None, ""
    try:
        return ParakeetEngine(found.path, name=found.name, reason=choice.reason, parallel=loader.parallel), ""
    except Exception as failure:
        if strict:
            raise
        log.error("engine.not_loaded", model=found.name, error=str(failure))
        return None, PARAKEET_NOT_LOADED(name=found.name, failure=str(failure))


def _default(
    choice: TranscriptionChoice,
    loader: _Loader,
    parakeet: ParakeetEngine | None,
    problem: str,
    *,
    strict: bool,
) -> TranscriptionEngine:
    problems = [problem] if problem else []
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
            if parakeet is None:
                reason = paragraph(OFFLINE, reason)
    if parakeet is not None:
        parakeet.info = replace(parakeet.info, reason=reason)
        return parakeet
    return PocketSphinxEngine(reason=reason, parallel=loader.parallel)


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
