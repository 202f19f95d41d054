"""A second model task beside transcription: it restores capital letters in lower-case text.

Everything but the computation is generic, so this file is all that a new task needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from serve.core.client import ModelClient
from serve.core.messages import EngineInfo, EngineProblem, EngineRefused
from serve.core.replica.deployment import ModelReplica
from serve.core.replica.deployment_profile import DeploymentProfile
from serve.core.task import ModelTask


@dataclass(frozen=True, slots=True)
class Sentence:
    """Text of one file."""

    file: str
    text: str


@dataclass(frozen=True, slots=True)
class CasedSentence:
    """`batch_size` is the number of sentences in the same call."""

    text: str
    batch_size: int


def _file(sentence: Sentence) -> str:
    return sentence.file


def _characters(sentence: Sentence) -> int:
    return len(sentence.text)


CASING: ModelTask[Sentence, CasedSentence] = ModelTask(
    name="casing",
    model="casing model",
    material="text",
    items="sentences",
    stream=_file,
    cost=_characters,
    expected_speed=1_000_000.0,
    slowest_speed=1_000.0,
    call_overhead=100,
)


CasingClient = ModelClient[Sentence, CasedSentence]


class CasingProfile(DeploymentProfile):
    max_queued_characters: int = 100_000

    @property
    def max_queued(self) -> int:
        return self.max_queued_characters


class CasingEngine:
    """Capitalises the first letter of each sentence, and the word “I”."""

    gains_from_batches = True
    has_deadline = False
    spare_workers = 0
    parallel = 1

    def __init__(self) -> None:
        self.info = EngineInfo("casing", "rules", "english", "cpu", "Test.", frozenset({"en"}))

    def batch_key(self, item: Sentence) -> bool:
        return item.text.isascii()

    def run(self, batch: Sequence[Sentence]) -> list[CasedSentence | EngineRefused]:
        if any("crash" in sentence.text for sentence in batch):
            raise RuntimeError("no rule applies")
        return [
            CasedSentence(_cased(sentence.text), len(batch))
            if sentence.text.islower()
            else EngineRefused(EngineProblem.BAD_INPUT, "The text has capital letters already.")
            for sentence in batch
        ]

    def rest(self) -> None:
        """Nothing to free."""

    def close(self) -> None:
        """Nothing to free."""


class Caser(ModelReplica[CasingEngine]):
    def __init__(self, profile: CasingProfile) -> None:
        super().__init__(CASING, CasingEngine(), profile.limits)


def _cased(text: str) -> str:
    capitals = re.sub(r"(^|[.?!]\s+)(\w)", lambda start: start[1] + start[2].upper(), text)
    return re.sub(r"\bi\b", "I", capitals)
