"""Finds the alignment model of this machine: an omnilingual CTC model in the models folder. Nothing here loads it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cluster.sentences import paragraph
from cluster.wording.message import Message, Wording
from serve.core.messages import NO_ENGINE, EngineInfo
from serve.core.models.models_folder import model_folders
from serve.core.settings import ModelSettings
from serve.tasks.alignment.messages import ALIGNMENT
from serve.tasks.alignment.profile import AlignmentProfile
from serve.tasks.transcription.messages import MAX_WINDOW_MS
from serve.tasks.transcription.sherpa.families.omnilingual import Omnilingual
from serve.tasks.transcription.sherpa.folder import SherpaFolder
from serve.tasks.transcription.sherpa.problems import UnusableModel

ENGINE = "ctc"
TURNED_OFF = Message("alignment.turned_off", "The profile turns alignment off.")
USED = Wording("alignment.used", "“{name}” aligns words with the sound: its folder is in the models folder.")
UNUSABLE = Wording("alignment.unusable", "“{name}” cannot be used: {problem}.")
NO_MODEL = Message(
    "alignment.no_model",
    "There is no alignment model on this machine. Run `sagascript models pull omnilingual-ctc-300m`: words that no "
    "speech model has timed get the times of their letters then.",
)


@dataclass(frozen=True, slots=True)
class AlignmentChoice:
    """The model to load; None where there is none. `info` describes the engine before it is loaded."""

    model: SherpaFolder | None
    info: EngineInfo


def choose_alignment(profile: AlignmentProfile, settings: ModelSettings, models_root: Path) -> AlignmentChoice:
    """The first model that can be used, of those that a setting names or that the models folder holds."""
    if profile.engine == "none":
        return _nothing(TURNED_OFF)
    family, problems = Omnilingual(), []
    named = [models_root / name for name in settings.sherpa_models]
    for folder in dict.fromkeys((*named, *model_folders(models_root))):
        if folder.name.startswith(".") or not family.holds(folder):
            continue
        try:
            model = family.open(folder)
        except (UnusableModel, OSError) as problem:
            problems.append(UNUSABLE(name=folder.name, problem=str(problem)))
            continue
        return AlignmentChoice(model, info_of(model, paragraph(USED(name=folder.name), *problems)))
    return _nothing(paragraph(*problems, NO_MODEL))


def info_of(model: SherpaFolder, reason: str) -> EngineInfo:
    return EngineInfo(ALIGNMENT, ENGINE, str(model.path), "cpu", reason, window_ms=MAX_WINDOW_MS, licence=model.licence)


def _nothing(reason: str) -> AlignmentChoice:
    return AlignmentChoice(None, EngineInfo(ALIGNMENT, NO_ENGINE, "", "", reason))
