"""What a measurement loads: a profile's speech section with changes, on any model folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cluster.settings import get_cluster_settings
from serve.core.settings import ModelSettings
from serve.profile import BadProfile, load_profile
from serve.tasks.transcription.profile import TranscriptionProfile

AT_LOADING = ("engine", "device", "compute_type", "workers", "threads", "beam_size", "adaptive_context")
"""Fields that need the model to be loaded again; the others change a running scheduler."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """Picklable, for a process of its own."""

    profile: TranscriptionProfile
    settings: ModelSettings
    models_root: Path

    def changed(self, **changes: Any) -> Configuration:
        """The same with other fields of the section. Raises BadProfile."""
        return Configuration(_section(self.profile, changes), self.settings, self.models_root)

    @property
    def loading(self) -> tuple[Any, ...]:
        """Equal for configurations that can share one loaded model."""
        return tuple(getattr(self.profile, name) for name in AT_LOADING)

    def text(self) -> dict[str, Any]:
        """For a report: the whole section and the model."""
        return {**self.profile.model_dump(mode="json"), "model": self.settings.whisper_model}


def configuration(profile: str, model: str | None, *, engine: str | None = None) -> Configuration:
    """The profile's speech section. `model` is a folder, a size or a hub name; None: what the product would choose.

    Nothing is downloaded. Raises BadProfile.
    """
    changes: dict[str, Any] = {} if engine is None else {"engine": engine}
    if model is not None and engine is None:
        # A model that cannot be loaded must fail here, not fall back to the offline engine.
        changes["engine"] = "whisper"
    section = _section(load_profile(profile).require(TranscriptionProfile), changes)
    settings = ModelSettings(allow_hub=False) if model is None else ModelSettings(whisper_model=model, allow_hub=False)
    return Configuration(section, settings, get_cluster_settings().models_root)


def _section(section: TranscriptionProfile, changes: Mapping[str, Any]) -> TranscriptionProfile:
    try:
        return TranscriptionProfile.model_validate({**section.model_dump(), **changes})
    except ValidationError as wrong:
        problems = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in wrong.errors())
        raise BadProfile(f"These settings do not fit: {problems}.") from wrong
