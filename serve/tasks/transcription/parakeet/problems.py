"""Why a Parakeet model cannot be used."""

from __future__ import annotations


class UnusableModel(ValueError):
    """The files are not what the engine needs. The message is a clause that says what they lack."""
