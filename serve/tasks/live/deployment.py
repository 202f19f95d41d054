"""The `LiveTranscriber` deployment: the model for live speech behind Ray Serve.

All sound of an utterance goes to the replica that has its beginning: `LIVE_TASK` keeps state.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ray.serve import Application

from serve.core.replica.deployment import ModelReplica, model_application
from serve.core.replica.report import own_replica_id
from serve.core.settings import ModelSettings
from serve.tasks.live.engine import StreamingEngine
from serve.tasks.live.load import load_live
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK


class LiveTranscriber(ModelReplica[StreamingEngine[Any]]):
    """Decodes utterances while they are spoken."""

    def __init__(self, profile: LiveProfile, settings: ModelSettings, models_root: Path) -> None:
        super().__init__(LIVE_TASK, load_live(profile, settings, models_root), profile.limits)
        self._id = own_replica_id()

    async def run(self, item: LiveSound) -> LiveText:
        """As every replica does, and it says which one it is. Raises EngineRefused."""
        text: LiveText = await super().run(item)
        return replace(text, replica=self._id)


def build_app(profile: LiveProfile, settings: ModelSettings, models_root: Path) -> Application:
    keeps_state = LIVE_TASK.keeps_state
    return model_application(LiveTranscriber, profile, profile, settings, models_root, keeps_state=keeps_state)
