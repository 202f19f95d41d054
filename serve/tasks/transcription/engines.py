"""The engines that a profile can require, by name."""

from __future__ import annotations

from serve.tasks.transcription.messages import OFFLINE_ENGINE, REMOTE_ENGINE
from serve.tasks.transcription.sherpa.registry import BY_NAME

AUTO = "auto"
WHISPER = "whisper"
"""By CTranslate2, from its own form of the weights."""
WHISPER_TORCH = "whisper_torch"
"""By torch, from weights as transformers publishes them."""

ENGINES = (AUTO, WHISPER, WHISPER_TORCH, *BY_NAME, REMOTE_ENGINE, OFFLINE_ENGINE)
