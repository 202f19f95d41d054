"""Loads the alignment model."""

from __future__ import annotations

import structlog

from cluster.resources import cores
from serve.core.models.model_files import ModelMissing
from serve.tasks.alignment.choice import AlignmentChoice
from serve.tasks.alignment.engine import CtcAligner
from serve.tasks.alignment.profile import AlignmentProfile

log = structlog.get_logger(__name__)


def load_chosen(profile: AlignmentProfile, choice: AlignmentChoice) -> CtcAligner:
    """The engine of a choice. Raises ModelMissing without one, or the error of its loading."""
    if choice.model is None:
        raise ModelMissing(choice.info.reason)
    engine = CtcAligner(choice.model, reason=choice.info.reason, parallel=profile.workers or cores())
    log.info("engine.loaded", engine=engine.info.engine, model=engine.info.model, reason=engine.info.reason)
    return engine
