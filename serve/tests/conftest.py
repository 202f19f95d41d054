"""Speech and models for the tests of `serve`."""

from __future__ import annotations

from serve.testing.speech import clips, models_root, say, whisper

__all__ = ["clips", "models_root", "say", "whisper"]
