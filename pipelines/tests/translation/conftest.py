"""The tiny translation model, as the tests of `serve` make it."""

from __future__ import annotations

from serve.testing.translation import translation_root, translator

__all__ = ["translation_root", "translator"]
