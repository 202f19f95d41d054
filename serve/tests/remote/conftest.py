from __future__ import annotations

from serve.testing.tiny_parakeet.fixtures import parakeet, parakeet_model

__all__ = ["parakeet", "parakeet_model"]
