"""Loads the chosen speaker engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from cluster.resources import cores
from serve.core.models.model_files import ModelMissing
from serve.tasks.diarization.choice import DiarizationChoice
from serve.tasks.diarization.profile import DiarizationProfile

if TYPE_CHECKING:
    from serve.tasks.diarization.engine import DiarizationEngine

log = structlog.get_logger(__name__)


def load_chosen(profile: DiarizationProfile, choice: DiarizationChoice) -> DiarizationEngine:
    """The engine of a choice. Raises ModelMissing without one, or the error of its loading."""
    if choice.folder is None:
        raise ModelMissing(choice.reason)
    engine: DiarizationEngine
    if choice.engine == "pyannote":
        from serve.tasks.diarization.pyannote import PyannoteEngine

        engine = PyannoteEngine(
            choice.folder,
            reason=choice.reason,
            device=profile.device,
            parallel=profile.workers or 1,
            likeness=profile.likeness,
            segmentation_batch=profile.segmentation_batch,
            embedding_batch=profile.embedding_batch,
        )
    else:
        from serve.tasks.diarization.sherpa import SherpaEngine

        engine = SherpaEngine(
            choice.folder,
            reason=choice.reason,
            parallel=profile.workers or cores(),
            likeness=profile.likeness,
            segmentation_batch=profile.segmentation_batch,
        )
    info = engine.info
    log.info("engine.loaded", engine=info.engine, model=info.model, device=info.device, reason=info.reason)
    return engine
