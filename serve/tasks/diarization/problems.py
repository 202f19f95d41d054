"""Why a speaker model cannot be used."""

from __future__ import annotations


class UnusableModel(ValueError):
    """A model file that is not what the engine needs. The message says what it lacks."""
