from __future__ import annotations

from pipelines.testing.media.attempts import attempt, installation, media

__all__ = ["attempt", "installation", "media"]
