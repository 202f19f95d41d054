"""Explains which engine each model task will use on this installation, and why, without loading a model."""

from __future__ import annotations

from cluster.settings import ClusterSettings
from serve.messages import EngineInfo
from serve.models import ModelMissing, choose_transcription, may_use_hub
from serve.profile import BadProfile, load_profile
from serve.settings import ModelSettings
from serve.transcription.pocketsphinx import LANGUAGES

NO_ENGINE = "none"
"""Engine of a task that cannot run; the reason says what to change."""


def explain_engines(settings: ClusterSettings, models: ModelSettings | None = None) -> list[EngineInfo]:
    """One entry for each task, without downloads or a request to the hub."""
    return [_transcription(settings, models or ModelSettings())]


def _transcription(settings: ClusterSettings, models: ModelSettings) -> EngineInfo:
    try:
        profile = load_profile(settings.profile)
        choice = choose_transcription(profile.transcription, models, settings.models_root, may_download=False)
    except (BadProfile, ModelMissing) as wrong:
        return EngineInfo("transcription", NO_ENGINE, "", "", str(wrong))
    task = profile.transcription
    reason = f"Profile “{profile.name}”. {choice.reason}"
    if choice.whisper is not None:
        return EngineInfo("transcription", "whisper", str(choice.whisper.path), task.device, reason)
    if choice.missing and may_use_hub(task, models):
        names = ", ".join(f"“{name}”" for name in choice.missing)
        reason += f" `sagascript up` downloads {names} in the background where the hub answers."
    return EngineInfo(
        "transcription", "pocketsphinx", "en-us", "cpu", reason, LANGUAGES | frozenset(choice.by_language)
    )
