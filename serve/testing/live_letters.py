"""An engine that hears a letter in each piece of sound, and says which process it runs in: for checks of replicas."""

from __future__ import annotations

import os
from collections.abc import Sequence

from serve.core.messages import EngineInfo, EngineRefused
from serve.core.replica.deployment import ModelReplica
from serve.tasks.live.engine import Step, StreamingEngine
from serve.tasks.live.messages import LiveSound, LiveText
from serve.tasks.live.profile import LiveProfile
from serve.tasks.live.task import LIVE_TASK
from serve.tasks.transcription.messages import Word

INFO = EngineInfo(LIVE_TASK.name, "letters", "none", "cpu", "Test.")


class Letters(StreamingEngine[list[str]]):
    """The first word is the number of the process."""

    def begin(self, sound: LiveSound) -> list[str]:
        return [f"{os.getpid()}:"]

    def advance(self, steps: Sequence[Step[list[str]]]) -> list[LiveText | EngineRefused]:
        for step in steps:
            step.utterance.append(chr(step.pcm[0]))
        return [LiveText(tuple(Word(0, 1, letter, 1.0) for letter in step.utterance)) for step in steps]

    def end(self, utterance: list[str]) -> None:
        """It holds nothing."""

    def refusal(self, sound: LiveSound) -> EngineRefused | None:
        return None


class LettersReplica(ModelReplica[Letters]):
    def __init__(self, profile: LiveProfile) -> None:
        engine = Letters(INFO, parallel=1, max_utterances=profile.max_utterances)
        super().__init__(LIVE_TASK, engine, profile.limits)
