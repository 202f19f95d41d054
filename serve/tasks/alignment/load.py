"""Loads the alignment model."""

from __future__ import annotations

import structlog

from cluster.resources import cores
from serve.core.models.model_files import ModelMissing
from serve.core.models.onnx_session import UnreadableModel
from serve.tasks.alignment.choice import UNUSABLE, AlignmentChoice
from serve.tasks.alignment.engine import CtcAligner
from serve.tasks.alignment.profile import AlignmentProfile
from serve.tasks.transcription.sherpa.problems import UnusableModel

log = structlog.get_logger(__name__)


def load_chosen(profile: AlignmentProfile, choice: AlignmentChoice) -> CtcAligner:
    """The engine of a choice. Raises ModelMissing without one, and where it cannot be loaded."""
    model = choice.model
    if model is None:
        raise ModelMissing(choice.info.reason)
    try:
        engine = CtcAligner(model, reason=choice.info.reason, parallel=profile.workers or cores())
    except (UnreadableModel, UnusableModel, OSError) as problem:
        raise ModelMissing(UNUSABLE(name=model.path.name, problem=str(problem))) from problem
    log.info("engine.loaded", engine=engine.info.engine, model=engine.info.model, reason=engine.info.reason)
    return engine
