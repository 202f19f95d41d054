"""Finds the model that restores punctuation and capitals on this machine, without loading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from serve.core.models.models_folder import model_folders
from serve.tasks.transcription.sherpa.folder import part, readable_facts

VOCABULARY = "bpe.vocab"
FACTS: Mapping[str, str] = {"COMMA": "1", "PERIOD": "2", "QUESTION": "3", "UPPER": "1", "CAP": "2", "MIX_CASE": "3"}
"""What the runtime takes for granted in the model's metadata, and ends its process without."""


@dataclass(frozen=True, slots=True)
class PunctuationModel:
    """A model of sherpa-onnx's online punctuation, which knows English."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def weights(self) -> Path:
        found = part(self.path, "model")
        assert found is not None
        return found

    @property
    def vocabulary(self) -> Path:
        return self.path / VOCABULARY


def holds_punctuation(folder: Path) -> bool:
    """Whether a folder holds such a model, as far as names and metadata tell. Takes milliseconds."""
    if not (folder / VOCABULARY).is_file() or (weights := part(folder, "model")) is None:
        return False
    facts = readable_facts(weights)
    return all(facts.get(name) == value for name, value in FACTS.items())


def find_punctuation(models_root: Path) -> PunctuationModel | None:
    """The first one in the models folder."""
    found = (PunctuationModel(folder) for folder in model_folders(models_root) if holds_punctuation(folder))
    return next(found, None)
