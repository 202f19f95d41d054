"""Sentences that the tiny trained Whisper knows, and that model, as the tests of `serve` make them."""

from __future__ import annotations

from serve.testing.speech import clips, models_root, whisper

__all__ = ["clips", "models_root", "whisper"]
