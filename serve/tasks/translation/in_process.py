"""The translation model inside the program that uses it."""

from __future__ import annotations

from pathlib import Path

from serve.core.in_process import InProcessModel
from serve.core.settings import ModelSettings
from serve.tasks.translation.engine import TranslationEngine
from serve.tasks.translation.messages import Passage, Translated
from serve.tasks.translation.profile import TranslationProfile
from serve.tasks.translation.task import TRANSLATION_TASK


class InProcessTranslator(InProcessModel[Passage, Translated, TranslationEngine]):
    """Loads the profile's translation engine."""

    def __init__(self, profile: TranslationProfile, settings: ModelSettings, models_root: Path) -> None:
        def load() -> TranslationEngine:
            # Imported in the loading thread, which the caller does not wait for.
            from serve.tasks.translation.load import load_translation

            return load_translation(profile, settings, models_root)

        super().__init__(TRANSLATION_TASK, profile, load)
