"""The alignment model inside the program that uses it."""

from __future__ import annotations

from pathlib import Path

from serve.core.in_process import InProcessModel
from serve.core.settings import ModelSettings
from serve.tasks.alignment.engine import CtcAligner
from serve.tasks.alignment.messages import AlignedText, TextWindow
from serve.tasks.alignment.profile import AlignmentProfile
from serve.tasks.alignment.task import ALIGNMENT_TASK


class InProcessAligner(InProcessModel[TextWindow, AlignedText, CtcAligner]):
    """Loads the profile's alignment model. Every method raises ModelMissing where there is none."""

    def __init__(self, profile: AlignmentProfile, settings: ModelSettings, models_root: Path) -> None:
        def load() -> CtcAligner:
            from serve.tasks.alignment.choice import choose_alignment
            from serve.tasks.alignment.load import load_chosen

            return load_chosen(profile, choose_alignment(profile, settings, models_root))

        super().__init__(ALIGNMENT_TASK, profile, load)
