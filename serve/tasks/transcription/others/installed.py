"""Every speech engine that this machine can run, whichever the installation chose. Nothing here loads one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from serve.core.messages import EngineInfo, WordTimes
from serve.core.settings import ModelSettings
from serve.tasks.transcription.engines import AUTO, WHISPER
from serve.tasks.transcription.messages import MAX_WINDOW_MS, OFFLINE_ENGINE, TRANSCRIPTION
from serve.tasks.transcription.models import TranscriptionChoice, wanted_denoiser
from serve.tasks.transcription.pocketsphinx.engine import PocketSphinxEngine
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.punctuation.folder import find_punctuation
from serve.tasks.transcription.remote.engine import remote_info
from serve.tasks.transcription.remote.settings import SpeechEndpoint
from serve.tasks.transcription.sentences import NAMED_BY_REQUEST
from serve.tasks.transcription.sherpa.choice import FoundSherpa
from serve.tasks.transcription.sherpa.opening import local_folders, named_folders, open_models
from serve.tasks.transcription.sherpa.registry import family_of
from serve.tasks.transcription.whisper_search import Found, WhisperSearch


@dataclass(frozen=True, slots=True)
class InstalledEngine:
    """`info` is what is known before it is loaded; `choice` loads it alone."""

    info: EngineInfo
    choice: TranscriptionChoice

    @property
    def name(self) -> str:
        return self.info.name

    def size_bytes(self) -> int:
        """Bytes of its files; 0 where it has none of its own."""
        folders = [model.path for model in self.choice.speech_models]
        return sum(file.stat().st_size for folder in folders for file in folder.rglob("*") if file.is_file())


def installed_engines(
    profile: TranscriptionProfile, settings: ModelSettings, models_root: Path, endpoint: SpeechEndpoint | None
) -> list[InstalledEngine]:
    """The endpoint, Whisper models, models of sherpa-onnx, and the engine that is always there.

    Of two with one name, such as folders named by settings, the first one has it.
    """
    engines: dict[str, InstalledEngine] = {}
    punctuation, denoiser = find_punctuation(models_root), wanted_denoiser(profile, models_root)
    for each in _found(profile.model_copy(update={"engine": AUTO}), settings, models_root, endpoint):
        choice = replace(each.choice, punctuation=punctuation, denoiser=denoiser)
        engines.setdefault(each.name, InstalledEngine(each.info, choice))
    return list(engines.values())


def _found(
    profile: TranscriptionProfile, settings: ModelSettings, models_root: Path, endpoint: SpeechEndpoint | None
) -> Iterator[InstalledEngine]:
    if endpoint is not None:
        info = remote_info(endpoint, NAMED_BY_REQUEST)
        choice = TranscriptionChoice(None, {}, NAMED_BY_REQUEST, endpoint=endpoint)
        yield InstalledEngine(replace(info, name=info.model), choice)
    for found in WhisperSearch(profile, settings, models_root, may_download=False).everywhere():
        choice = TranscriptionChoice(found, {}, NAMED_BY_REQUEST)
        yield InstalledEngine(_whisper(found, profile.device), choice)
    folders = (*named_folders(settings.sherpa_models, models_root), *local_folders(models_root, family_of))
    for family, model, reason in open_models(folders, settings, family_of).opened:
        each = FoundSherpa(family, model, reason, model.languages)
        info = replace(each.info(NAMED_BY_REQUEST), model=each.name, name=each.name)
        choice = TranscriptionChoice(None, {}, NAMED_BY_REQUEST, sherpa=(each,))
        yield InstalledEngine(info, choice)
    offline = replace(PocketSphinxEngine(reason=NAMED_BY_REQUEST).info, name=OFFLINE_ENGINE)
    yield InstalledEngine(offline, TranscriptionChoice(None, {}, NAMED_BY_REQUEST))


def _whisper(found: Found, device: str) -> EngineInfo:
    """What every Whisper model can do; which languages it knows shows when it is loaded."""
    name = found.path.name if found.path.name in found.name else found.name
    return EngineInfo(
        task=TRANSCRIPTION,
        engine=found.engine,
        model=name,
        device=device,
        reason=NAMED_BY_REQUEST,
        detects_language=True,
        word_times=WordTimes.ALIGNER,
        takes_vocabulary=found.engine == WHISPER,
        takes_temperature=True,
        window_ms=MAX_WINDOW_MS,
        is_batched=True,
        name=name,
    )
