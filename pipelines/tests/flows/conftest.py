from __future__ import annotations

from pipelines.testing.captioned import captioned, client
from pipelines.testing.media.attempts import attempt, installation
from serve.testing.speech import clips, models_root, whisper

__all__ = ["attempt", "captioned", "client", "clips", "installation", "models_root", "whisper"]
