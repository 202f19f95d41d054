"""AI text among the tasks of an installation."""

from __future__ import annotations

from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING

from cluster.wording.message import Message
from serve.core.engine_label import EngineLabel
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.core.task_deployment import TaskDeployment, has_weights
from serve.tasks.text.profile import TextProfile
from serve.tasks.text.task import TEXT_WORK

if TYPE_CHECKING:
    from ray.serve import Application


def _explain(section: TextProfile, settings: ModelSettings, models_root: Path) -> EngineInfo:
    from serve.chat.settings import ChatSettings
    from serve.tasks.text.choice import choose_text

    return choose_text(section, ChatSettings().endpoint, models_root).info


def _build_app(
    section: TextProfile, settings: ModelSettings, models_root: Path, *, replicas_download: bool
) -> Application:
    from serve.chat.settings import ChatSettings
    from serve.tasks.text.deployment import build_app

    return build_app(section, ChatSettings().endpoint, models_root)


def _holds_model(_folder: Path, names: Set[str]) -> bool:
    is_chat = {"tokenizer_config.json", "chat_template.jinja"} & names and "preprocessor_config.json" not in names
    return bool(is_chat) and has_weights(names)


DEPLOYMENT: TaskDeployment[TextProfile] = TaskDeployment(
    task=TEXT_WORK,
    section_type=TextProfile,
    title=Message("text.title", "AI text"),
    explain=_explain,
    build_app=_build_app,
    engines={
        "extractive": EngineLabel(models={"extractive": Message("text.extractive", "Sentence selection (built in)")})
    },
    model_forms={
        "ct2": (
            *("*.json", "model.bin", "*vocabulary.txt", "*.spm", "*.spm.model", "spiece.model", "sentencepiece*.model"),
            *("chat_template.jinja", "README.md"),
        ),
    },
    holds_model=_holds_model,
)
