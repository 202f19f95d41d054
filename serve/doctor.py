"""Explains which engine each model task will use on this installation, and why, without loading a model."""

from __future__ import annotations

from dataclasses import replace

from cluster.sentences import paragraph
from cluster.settings import ClusterSettings
from cluster.wording.message import Message
from serve.core.messages import NO_ENGINE, EngineInfo
from serve.core.settings import ModelSettings
from serve.profile import BadProfile, load_profile
from serve.tasks.registry import TASKS


def explain_engines(settings: ClusterSettings, models: ModelSettings | None = None) -> list[EngineInfo]:
    """One entry for each task, without downloads or a request to the hub."""
    models = models or ModelSettings()
    try:
        profile = load_profile(settings.profile)
    except BadProfile as wrong:
        return [EngineInfo(each.task.name, NO_ENGINE, "", "", str(wrong)) for each in TASKS]
    found = []
    for each in TASKS:
        info = each.explain_in(profile, models, settings.models_root)
        found.append(
            replace(
                info, reason=paragraph(Message("doctor.profile", "Profile “{name}”.", name=profile.name), info.reason)
            )
        )
    return found
