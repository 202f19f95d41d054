"""What the engine requires of a family of models that sherpa-onnx runs. Each family is one file in `families/`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import EngineInfo, WordTimes
from serve.core.text.language_codes import canonical
from serve.tasks.transcription.messages import MAX_WINDOW_MS, TRANSCRIPTION, AudioWindow
from serve.tasks.transcription.sherpa.folder import SherpaFolder


class Family(ABC):
    """Its instances hold nothing: models are `SherpaFolder`s and what `recognizer` makes of them."""

    name: ClassVar[str]
    """The engine's name, in the profile and in records."""
    label: ClassVar[EngineLabel]
    note: ClassVar[Message]
    pull: ClassVar[str]
    """The catalogue's name of a model."""
    word_times: ClassVar[WordTimes] = WordTimes.NONE
    punctuates: ClassVar[bool] = True
    """Whether its models write punctuation and capitals."""
    word_probabilities: ClassVar[bool] = False
    """Whether the runtime gives the probability of each token."""
    is_batched: ClassVar[bool] = False
    """Whether the runtime decodes several windows in one call of the model."""
    detects_language: ClassVar[bool] = False
    needs_language: ClassVar[bool] = True
    """Whether it must be told which of several languages is spoken."""
    one_at_a_time: ClassVar[bool] = False
    """Whether the language is a setting of the recogniser, so that windows of two languages cannot run side by side."""

    @abstractmethod
    def holds(self, folder: Path) -> bool:
        """Whether a folder holds such a model, as far as names and metadata tell. Takes milliseconds."""

    @abstractmethod
    def open(self, folder: Path) -> SherpaFolder:
        """The model of a folder. Raises UnusableModel or OSError."""

    def check(self, model: SherpaFolder) -> None:  # noqa: B027
        """Look closer at the files, which may take seconds. Raises UnusableModel. Most leave that to the trial."""

    @abstractmethod
    def recognizer(self, model: SherpaFolder, threads: int) -> Any:
        """An `OfflineRecognizer` of the model. The runtime ends the process where files lack something."""

    def biased(self, model: SherpaFolder, threads: int) -> Any | None:
        """A second recogniser that hears terms; None where there is none, or where the first one hears them."""
        return None

    def stream(self, recognizer: Any, model: SherpaFolder, window: AudioWindow) -> Any:
        """A stream for a window, whose language is one of the model's, or None where it detects it."""
        return recognizer.create_stream()

    def biased_stream(self, recognizer: Any, model: SherpaFolder, window: AudioWindow) -> Any | None:
        """A stream of the recogniser that hears terms; None where it knows none of the window's."""
        return None

    def language_of(self, result: Any) -> str:
        """The language that the model names in its result, as a Whisper code; empty where it names none."""
        return canonical(str(result.lang).strip("<|>")) if self.detects_language and result.lang else ""

    def info(self, model: SherpaFolder, name: str, reason: str) -> EngineInfo:
        """It runs on the CPU whatever the profile says: sherpa-onnx's package for Python has no CUDA."""
        return EngineInfo(
            task=TRANSCRIPTION,
            engine=self.name,
            model=name,
            device="cpu",
            reason=reason,
            languages=model.languages,
            detects_language=self.detects_language,
            word_times=self.word_times,
            word_probabilities=self.word_probabilities,
            takes_vocabulary=model.takes_terms,
            punctuates=self.punctuates and model.punctuates,
            window_ms=MAX_WINDOW_MS,
            is_batched=self.is_batched,
            licence=model.licence,
            note=self.note,
        )
