"""The engines for live speech that a profile can require, by name."""

from __future__ import annotations

from serve.core.messages import NO_ENGINE
from serve.tasks.live.sherpa.registry import BY_NAME
from serve.tasks.transcription.messages import OFFLINE_ENGINE

AUTO = "auto"
ENGINES = (AUTO, *BY_NAME, OFFLINE_ENGINE, NO_ENGINE)
