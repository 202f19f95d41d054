"""The client of the `LiveTranscriber` deployment."""

from __future__ import annotations

from serve.core.client import ModelClient
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.task import LIVE_TASK


class LiveClient(ModelClient[LiveSound, LiveText]):
    """Sends the sound of one recording, piece after piece."""

    def __init__(self) -> None:
        super().__init__(LIVE_TASK, in_flight=1)
