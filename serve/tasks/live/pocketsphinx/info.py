"""What the built-in engine for live speech is, before it is loaded."""

from __future__ import annotations

from serve.core.messages import EngineInfo, WordTimes
from serve.tasks.live.messages import LIVE
from serve.tasks.transcription.messages import OFFLINE_ENGINE
from serve.tasks.transcription.pocketsphinx.sentences import LANGUAGES, NOTE


def live_info(reason: str) -> EngineInfo:
    return EngineInfo(
        task=LIVE,
        engine=OFFLINE_ENGINE,
        model="en-us",
        device="cpu",
        reason=reason,
        languages=LANGUAGES,
        word_times=WordTimes.NATIVE,
        punctuates=False,
        note=NOTE,
    )
