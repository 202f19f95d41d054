"""Translation among the tasks of an installation."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment, has_weights
from serve.tasks.translation.profile import TranslationProfile
from serve.tasks.translation.task import TRANSLATION_TASK

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: TranslationProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    from serve.tasks.translation.choice import explain

    return explain(section, settings, models_root)


def _build_app(
    section: TranslationProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.tasks.translation.deployment import build_app

    return build_app(section, settings, models_root, replicas_download=replicas_download)


def _holds_model(_folder: Path, names: Set[str]) -> bool:
    pieces = any("spm" in name or name.startswith(("spiece", "sentencepiece")) for name in names)
    return pieces and has_weights(names)


DEPLOYMENT: TaskDeployment[TranslationProfile] = TaskDeployment(
    task=TRANSLATION_TASK,
    section_type=TranslationProfile,
    title=Message("translation.title", "Translation"),
    explain=_explain,
    build_app=_build_app,
    reloads_itself=True,
    engines={
        "ct2": EngineLabel(),
        "ct2_llm": EngineLabel(),
        "transformers": EngineLabel(),
        "openai": EngineLabel(),
        "apertium": EngineLabel(models={"apertium": "Apertium"}),
    },
    model_forms={
        "ct2-translation": (
            *("config.json", "model.bin", "*vocabulary.json", "*vocabulary.txt"),
            *("*.spm", "*.spm.model", "spiece.model", "sentencepiece*.model", "README.md"),
        ),
    },
    holds_model=_holds_model,
)
