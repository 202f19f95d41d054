"""The `Aligner` deployment: the alignment model behind Ray Serve."""

from __future__ import annotations

from pathlib import Path

from ray.serve import Application

from serve.core.replica.deployment import ModelReplica, model_application
from serve.core.settings import ModelSettings
from serve.tasks.alignment.choice import choose_alignment
from serve.tasks.alignment.engine import CtcAligner
from serve.tasks.alignment.load import load_chosen
from serve.tasks.alignment.profile import AlignmentProfile
from serve.tasks.alignment.task import ALIGNMENT_TASK


class Aligner(ModelReplica[CtcAligner]):
    """Finds when the words of a text are spoken."""

    def __init__(self, profile: AlignmentProfile, settings: ModelSettings, models_root: Path) -> None:
        choice = choose_alignment(profile, settings, models_root)
        super().__init__(ALIGNMENT_TASK, load_chosen(profile, choice), profile.limits)


def build_app(profile: AlignmentProfile, settings: ModelSettings, models_root: Path) -> Application:
    return model_application(Aligner, profile, profile, settings, models_root)
