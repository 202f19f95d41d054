"""The `LiveTranscriber` deployment: the model for live speech behind Ray Serve.

All sound of an utterance goes to the replica that has its beginning: `LIVE_TASK` keeps state.
"""

from __future__ import annotations

from typing import Any

from ray.serve import Application

from serve.core.replica.deployment import ModelReplica, model_application
from serve.tasks.live.engine import StreamingEngine
from serve.tasks.live.load import load_live
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK


class LiveTranscriber(ModelReplica[StreamingEngine[Any]]):
    """Decodes utterances while they are spoken."""

    def __init__(self, profile: LiveProfile) -> None:
        super().__init__(LIVE_TASK, load_live(profile), profile.limits)


def build_app(profile: LiveProfile) -> Application:
    return model_application(LiveTranscriber, profile, profile, keeps_state=LIVE_TASK.keeps_state)
