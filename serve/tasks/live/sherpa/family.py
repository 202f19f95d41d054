"""What the live engine requires of a family of streaming models that sherpa-onnx runs. Each is one file in `families/`.

Their folders are opened as those of models that read files: see `serve.tasks.transcription.sherpa`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import EngineInfo, WordTimes
from serve.tasks.live.messages import LIVE
from serve.tasks.transcription.sherpa.folder import SherpaFolder

FRAME_MS = 10
"""A frame of the features that a transducer hears."""


class StreamingFamily(ABC):
    """Its instances hold nothing: models are `SherpaFolder`s and what `recognizer` makes of them."""

    name: ClassVar[str]
    """The engine's name, in the profile and in records."""
    label: ClassVar[EngineLabel]
    note: ClassVar[Message]
    punctuates: ClassVar[bool]
    """Whether its models write punctuation and capitals, unless their tokens say otherwise."""
    word_probabilities: ClassVar[bool] = True
    """Whether the runtime gives the probability of each piece."""

    @abstractmethod
    def holds(self, folder: Path) -> bool:
        """Whether a folder holds such a model, as far as names and metadata tell. Takes milliseconds."""

    @abstractmethod
    def open(self, folder: Path) -> SherpaFolder:
        """The model of a folder. Raises UnusableModel or OSError."""

    @abstractmethod
    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        """An `OnlineRecognizer` of the model, greedy: what it has written never changes.

        The runtime ends the process where files lack something.
        """

    @abstractmethod
    def window_ms(self, model: SherpaFolder) -> int:
        """How much sound the model looks at for one step."""

    def info(self, model: SherpaFolder, name: str, reason: str) -> EngineInfo:
        """It runs on the CPU whatever the profile says: sherpa-onnx's package for Python has no CUDA."""
        return EngineInfo(
            task=LIVE,
            engine=self.name,
            model=name,
            device="cpu",
            reason=reason,
            languages=model.languages,
            word_times=WordTimes.NATIVE,
            word_probabilities=self.word_probabilities,
            punctuates=self.punctuates and model.punctuates,
            is_batched=True,
            licence=model.licence,
            note=self.note,
        )
