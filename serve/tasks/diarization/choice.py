"""Finds the speaker models of this machine and says which engine would run, or what to do. Nothing here loads one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from cluster.sentences import paragraph
from cluster.wording.message import Message, Wording
from serve.core.models.models_folder import model_folders
from serve.core.settings import ModelSettings
from serve.tasks.diarization.profile import DiarizationProfile

SEGMENTATION_FILE = "segmentation.onnx"
EMBEDDING_FILE = "embedding.onnx"
"""A folder with both is a pair of models in sherpa-onnx's form."""

CHECKPOINT = "pytorch_model.bin"
PYANNOTE_PARTS = ("segmentation", "embedding")
"""Folders of a pyannote pipeline such as community-1, each with a checkpoint."""

WITHOUT = Message("diarization.without", "Speakers are detected only in recordings with one speaker on each channel.")
TURNED_OFF = Message("diarization.turned_off", "The profile turns the speaker model off.")
NO_MODEL = Message("diarization.no_model", "There is no speaker model on this machine.")
NAMED = Wording("diarization.named", "Speakers by “{name}”: a setting names this folder.")
IN_FOLDER = Wording("diarization.in_folder", "Speakers by “{name}”: its folder is in the models folder.")
NOT_THERE = Wording("diarization.not_there", "`SAGASCRIPT_SPEAKER_MODEL` names “{name}”, which holds no speaker model.")
NO_PYANNOTE = Wording("diarization.no_pyannote", "“{name}” is a pyannote pipeline, and {problem}.")
NOT_INSTALLED = Message("diarization.not_installed", "pyannote.audio is not installed (`pip install sagascript[gpu]`)")
WHAT_TO_DO = Message(
    "diarization.what_to_do",
    "For all others, run `sagascript models pull speakers`, or put `segmentation.onnx` and `embedding.onnx` in "
    "sherpa-onnx's form into the folder `speakers` of the models folder.",
)


@dataclass(frozen=True, slots=True)
class DiarizationChoice:
    """Which engine to load from which folder; no engine where `folder` is None. `reason` is a sentence for people."""

    engine: str
    folder: Path | None
    reason: str


def choose_diarization(profile: DiarizationProfile, settings: ModelSettings, models_root: Path) -> DiarizationChoice:
    """The best engine whose models are on this machine."""
    if profile.engine == "none":
        return DiarizationChoice("none", None, paragraph(TURNED_OFF, WITHOUT))
    problems: list[str] = []
    for folder, why in _folders(settings, models_root):
        for engine, is_there in (("pyannote", _is_pyannote), ("sherpa", _is_sherpa)):
            if profile.engine not in ("auto", engine) or not is_there(folder):
                continue
            if engine == "pyannote" and (problem := pyannote_problem()) is not None:
                problems.append(NO_PYANNOTE(name=folder.name, problem=problem))
                continue
            return DiarizationChoice(engine, folder, paragraph(why, *problems))
    if settings.speaker_model is not None:
        problems.insert(0, NOT_THERE(name=settings.speaker_model))
    return DiarizationChoice("none", None, paragraph(*(problems or [NO_MODEL]), WITHOUT, WHAT_TO_DO))


def pyannote_problem() -> str | None:
    """Why pyannote pipelines cannot be loaded here; None when they can."""
    try:
        is_there = find_spec("torch") is not None and find_spec("pyannote.audio") is not None
    except ModuleNotFoundError:
        is_there = False
    return None if is_there else NOT_INSTALLED


def _folders(settings: ModelSettings, models_root: Path) -> Iterator[tuple[Path, str]]:
    """Folders that may hold models, the best first, with the reason to use each."""
    if settings.speaker_model is not None:
        named = models_root / settings.speaker_model
        yield named, NAMED(name=named.name)
        return
    for folder in sorted(
        model_folders(models_root), key=lambda each: (not _is_pyannote(each), each.name != "speakers", each.name)
    ):
        yield folder, IN_FOLDER(name=folder.name)


def _is_pyannote(folder: Path) -> bool:
    return all((folder / part / CHECKPOINT).is_file() for part in PYANNOTE_PARTS)


def _is_sherpa(folder: Path) -> bool:
    return (folder / SEGMENTATION_FILE).is_file() and (folder / EMBEDDING_FILE).is_file()
