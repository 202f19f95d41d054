"""Loads the engines for live speech."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import structlog

from cluster.resources import cores
from cluster.sentences import paragraph
from serve.core.models.model_files import ModelMissing
from serve.core.settings import ModelSettings
from serve.tasks.live.by_language import LiveByLanguage
from serve.tasks.live.choice import LiveChoice, choose_live
from serve.tasks.live.engine import StreamingEngine
from serve.tasks.live.pocketsphinx.engine import LivePocketSphinx
from serve.tasks.live.profile import AUTO, LiveProfile
from serve.tasks.live.sherpa.engine import LiveSherpa
from serve.tasks.transcription.sentences import SHERPA_NOT_LOADED

log = structlog.get_logger(__name__)


def load_live(profile: LiveProfile, settings: ModelSettings, models_root: Path) -> StreamingEngine[Any]:
    """Every model that can be loaded; the built-in engine where that leaves English to nobody.

    Raises ModelMissing where the profile turns live speech off, or the error of loading where it allows one engine.
    """
    choice = choose_live(profile, settings, models_root)
    if not choice.info.can_run:
        raise ModelMissing(choice.reason)
    workers = profile.workers or cores()
    loaded, problems = _models(choice, profile, workers)
    lost_english = problems and not any("en" in engine.info.languages for engine in loaded)
    if choice.has_built_in or lost_english:
        reason = paragraph(choice.reason, *problems)
        loaded.append(LivePocketSphinx(reason=reason, parallel=workers, max_utterances=profile.max_utterances))
    if problems:
        loaded[0].info = replace(loaded[0].info, reason=paragraph(choice.reason, *problems))
    if len(loaded) == 1:
        return loaded[0]
    return LiveByLanguage(loaded, max_utterances=profile.max_utterances)


def _models(choice: LiveChoice, profile: LiveProfile, threads: int) -> tuple[list[StreamingEngine[Any]], list[str]]:
    """The loaded models, and a sentence about each that cannot be loaded."""
    loaded: list[StreamingEngine[Any]] = []
    problems: list[str] = []
    for found in choice.models:
        path = found.model.path
        try:
            engine = LiveSherpa(
                found.family,
                path,
                name=str(path),
                reason=choice.reason,
                threads=threads,
                max_utterances=profile.max_utterances,
            )
        except Exception as failure:
            if profile.engine != AUTO:
                raise
            log.error("engine.not_loaded", model=path.name, error=str(failure))
            title = str(found.family.label.family)
            problems.append(SHERPA_NOT_LOADED(family=title, name=path.name, failure=str(failure)))
            continue
        engine.info = replace(engine.info, languages=found.languages)
        loaded.append(engine)
    return loaded, problems
