"""Models for the tests of translation."""

from __future__ import annotations

from serve.testing.translation import translation_root, translator

__all__ = ["translation_root", "translator"]
