"""Finds the model that takes noise out of speech on this machine, without loading it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from serve.core.models.models_folder import model_folders
from serve.tasks.transcription.messages import SAMPLE_RATE
from serve.tasks.transcription.sherpa.folder import readable_facts

TYPE = "gtcrn"
FACTS = (
    *("n_fft", "hop_length", "window_length", "window_type", "version"),
    *("conv_cache_shape", "tra_cache_shape", "inter_cache_shape"),
)
"""What the runtime reads besides, and ends its process without."""


@dataclass(frozen=True, slots=True)
class DenoiserModel:
    """A GTCRN in sherpa-onnx's form, as `gtcrn_simple.onnx`; `path` is its folder."""

    path: Path
    weights: Path

    @property
    def name(self) -> str:
        return self.path.name


def denoiser_in(folder: Path) -> DenoiserModel | None:
    """The model in a folder, as far as metadata tell. Takes milliseconds."""
    for file in sorted(folder.glob("*.onnx")):
        facts = readable_facts(file)
        is_ours = facts.get("model_type") == TYPE and facts.get("sample_rate") == str(SAMPLE_RATE)
        if is_ours and all(facts.get(name) for name in FACTS):
            return DenoiserModel(folder, file)
    return None


def find_denoiser(models_root: Path) -> DenoiserModel | None:
    """The first one in the models folder."""
    return next((model for folder in model_folders(models_root) if (model := denoiser_in(folder)) is not None), None)
