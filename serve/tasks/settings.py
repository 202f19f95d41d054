"""The settings that models read, and which of them are secrets."""

from __future__ import annotations

from pydantic import SecretStr
from pydantic_settings import BaseSettings

from serve.chat.settings import ChatSettings
from serve.core.settings import ModelSettings
from serve.tasks.transcription.remote.settings import SpeechSettings

MODEL_SETTINGS: tuple[type[BaseSettings], ...] = (ModelSettings, SpeechSettings, ChatSettings)

MODEL_SECRETS = frozenset(
    f"SAGASCRIPT_{name.upper()}"
    for settings in MODEL_SETTINGS
    for name, field in settings.model_fields.items()
    if field.annotation == SecretStr | None
)
"""Variables that only the program that deploys the models receives; it gives each to the replicas that use it."""
