"""Icelandic for what still comes as finished English: what engines say of themselves, and reasons of proofreading."""

from __future__ import annotations

from api.platform.http.icelandic import engines, reports
from api.platform.http.icelandic.words import NAMES

__all__ = ["NAMES", "SENTENCES"]

SENTENCES: dict[str, str] = {**engines.SENTENCES, **reports.SENTENCES}
