"""Transcription among the tasks of an installation."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.sentences import paragraph
from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import NO_ENGINE, EngineInfo, WordTimes
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment, has_weights
from serve.tasks.transcription.denoiser.folder import denoiser_in
from serve.tasks.transcription.engines import WHISPER, WHISPER_TORCH
from serve.tasks.transcription.messages import OFFLINE_ENGINE, REMOTE_ENGINE
from serve.tasks.transcription.models import choose_transcription
from serve.tasks.transcription.pocketsphinx.sentences import LANGUAGES, NOTE
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.tasks.transcription.punctuation.folder import holds_punctuation
from serve.tasks.transcription.remote.settings import SpeechSettings
from serve.tasks.transcription.sentences import DOWNLOADS, RESTORES
from serve.tasks.transcription.sherpa.registry import FAMILIES, family_of
from serve.tasks.transcription.task import SPEECH
from serve.tasks.transcription.whisper_search import may_use_hub

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: TranscriptionProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    from serve.tasks.transcription.remote.engine import remote_info

    try:
        choice = choose_transcription(section, settings, models_root, SpeechSettings().endpoint, may_download=False)
    except ModelMissing as missing:
        return EngineInfo(SPEECH.name, NO_ENGINE, "", "", str(missing))
    parts = tuple(replace(found.info(choice.reason), languages=choice.languages_of(found)) for found in choice.sherpa)
    if choice.endpoint is not None:
        return replace(remote_info(choice.endpoint, choice.reason), by_language=parts)
    if choice.whisper is not None:
        return EngineInfo(
            SPEECH.name,
            choice.whisper.engine,
            str(choice.whisper.path),
            section.device,
            choice.reason,
            word_times=WordTimes.ALIGNER,
            takes_vocabulary=choice.whisper.engine == WHISPER,
            takes_temperature=True,
            by_language=parts,
        )
    if parts:
        default = next((part for part in parts if not part.languages), parts[0])
        others = tuple(part for part in parts if part is not default)
        known = frozenset[str]().union(*(part.languages for part in parts), choice.by_language)
        return replace(default, languages=known if default.languages else frozenset(), by_language=others)
    reason = choice.reason
    if choice.missing and may_use_hub(section, settings):
        names = ", ".join(f"“{name}”" for name in choice.missing)
        reason = paragraph(reason, DOWNLOADS(names=names))
    if choice.punctuation is not None:
        reason = paragraph(reason, RESTORES(name=choice.punctuation.name))
    languages = LANGUAGES | frozenset(choice.by_language)
    return EngineInfo(
        SPEECH.name,
        "pocketsphinx",
        "en-us",
        "cpu",
        reason,
        languages,
        word_times=WordTimes.NATIVE,
        note=NOTE,
        punctuates=choice.punctuation is not None,
    )


def _build_app(
    section: TranscriptionProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.tasks.transcription.deployment import build_app

    endpoint = SpeechSettings().endpoint
    return build_app(section, settings, models_root, endpoint=endpoint, replicas_download=replicas_download)


def _holds_model(folder: Path, names: Set[str]) -> bool:
    is_ours = family_of(folder) is not None or holds_punctuation(folder) or denoiser_in(folder) is not None
    return is_ours or has_weights(names)


_WHISPER = EngineLabel("Whisper", prefixes=("faster-whisper-", "whisper-"))

DEPLOYMENT: TaskDeployment[TranscriptionProfile] = TaskDeployment(
    task=SPEECH,
    section_type=TranscriptionProfile,
    title=Message("transcription.title", "Speech recognition"),
    explain=_explain,
    build_app=_build_app,
    is_required=True,
    reloads_itself=True,
    engines={
        WHISPER: _WHISPER,
        WHISPER_TORCH: _WHISPER,
        **{family.name: family.label for family in FAMILIES},
        REMOTE_ENGINE: EngineLabel(Message("transcription.remote", "Speech endpoint")),
        OFFLINE_ENGINE: EngineLabel(
            Message("transcription.pocketsphinx", "PocketSphinx (built in)"),
            # Beside models of single languages its name lists those, and more than English works.
            models={"en-us": Message("transcription.pocketsphinx_english", "PocketSphinx (built in, English only)")},
            shows_model=False,
        ),
    },
    model_forms={
        "whisper": ("config.json", "preprocessor_config.json", "model.bin", "tokenizer.json", "vocabulary.*"),
    },
    holds_model=_holds_model,
)
