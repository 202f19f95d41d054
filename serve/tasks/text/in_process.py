"""The text model inside the program that uses it."""

from __future__ import annotations

from pathlib import Path

from serve.chat.settings import Endpoint
from serve.core.in_process import InProcessModel
from serve.tasks.text.engine import TextEngine
from serve.tasks.text.messages import TextItem, TextOutcome
from serve.tasks.text.profile import TextProfile
from serve.tasks.text.task import TEXT_WORK


class InProcessWriter(InProcessModel[TextItem, TextOutcome, TextEngine]):
    """Loads the profile's text engine."""

    def __init__(self, profile: TextProfile, endpoint: Endpoint | None, models_root: Path) -> None:
        def load() -> TextEngine:
            # Imported in the loading thread, which the caller does not wait for.
            from serve.tasks.text.choice import choose_text
            from serve.tasks.text.load import load_text

            return load_text(profile, choose_text(profile, endpoint, models_root))

        super().__init__(TEXT_WORK, profile, load)
