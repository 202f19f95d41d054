"""The `Writer` deployment: the text model behind Ray Serve."""

from __future__ import annotations

from pathlib import Path

from ray.serve import Application

from serve.chat.settings import Endpoint
from serve.core.replica.deployment import ModelReplica, model_application
from serve.tasks.text.choice import choose_text
from serve.tasks.text.engine import TextEngine
from serve.tasks.text.load import load_text
from serve.tasks.text.profile import TextProfile
from serve.tasks.text.task import TEXT_WORK


class Writer(ModelReplica[TextEngine]):
    """Takes notes of sections and writes texts from them.

    It chooses its model when it starts, so that one that was pulled since the last start is used.
    """

    def __init__(self, profile: TextProfile, endpoint: Endpoint | None, models_root: Path) -> None:
        engine = load_text(profile, choose_text(profile, endpoint, models_root))
        super().__init__(TEXT_WORK, engine, profile.limits)


def build_app(profile: TextProfile, endpoint: Endpoint | None, models_root: Path) -> Application:
    """`endpoint` reaches the replicas as a value, never through their environment, which Ray writes into arguments."""
    return model_application(Writer, profile, profile, endpoint, models_root)
