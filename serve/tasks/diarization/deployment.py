"""The `Diarizer` deployment: the speaker model behind Ray Serve."""

from __future__ import annotations

from pathlib import Path

from ray.serve import Application

from serve.core.replica.deployment import ModelReplica, model_application
from serve.core.settings import ModelSettings
from serve.tasks.diarization.choice import choose_diarization
from serve.tasks.diarization.engine import DiarizationEngine
from serve.tasks.diarization.load import load_chosen
from serve.tasks.diarization.profile import DiarizationProfile
from serve.tasks.diarization.task import DIARIZATION_TASK


class Diarizer(ModelReplica[DiarizationEngine]):
    """Finds the voices in pieces of sound."""

    def __init__(self, profile: DiarizationProfile, settings: ModelSettings, models_root: Path) -> None:
        choice = choose_diarization(profile, settings, models_root)
        super().__init__(DIARIZATION_TASK, load_chosen(profile, choice), profile.limits)


def build_app(profile: DiarizationProfile, settings: ModelSettings, models_root: Path) -> Application:
    return model_application(Diarizer, profile, profile, settings, models_root)
