"""Says which engine follows live speech on this machine, or why none does. Nothing here loads one."""

from __future__ import annotations

from cluster.wording.message import Message
from serve.core.messages import NO_ENGINE, EngineInfo
from serve.tasks.live.messages import LIVE
from serve.tasks.live.pocketsphinx.info import live_info
from serve.tasks.live.profile import LiveProfile

TURNED_OFF = Message(
    "live.turned_off", "The profile turns it off: live captions come from the speech model that transcribes files."
)
BUILT_IN = Message(
    "live.built_in",
    "The built-in engine follows live speech in English. Where a better speech model is installed, that one makes live "
    "captions, in all its languages.",
)


def choose_live(profile: LiveProfile) -> EngineInfo:
    """The engine before it is loaded."""
    if profile.engine == NO_ENGINE:
        return EngineInfo(LIVE, NO_ENGINE, "", "", TURNED_OFF)
    return live_info(BUILT_IN)
