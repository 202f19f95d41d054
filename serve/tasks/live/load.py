"""Loads the engine for live speech."""

from __future__ import annotations

from typing import Any

from cluster.resources import cores
from serve.core.models.model_files import ModelMissing
from serve.tasks.live.choice import choose_live
from serve.tasks.live.engine import StreamingEngine
from serve.tasks.live.pocketsphinx.engine import LivePocketSphinx
from serve.tasks.live.profile import LiveProfile


def load_live(profile: LiveProfile) -> StreamingEngine[Any]:
    """Raises ModelMissing where the profile turns it off."""
    info = choose_live(profile)
    if not info.can_run:
        raise ModelMissing(info.reason)
    return LivePocketSphinx(
        reason=info.reason, parallel=profile.workers or cores(), max_utterances=profile.max_utterances
    )
