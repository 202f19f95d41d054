"""Icelandic for what still comes as finished English: engines, names of profiles, proofreading."""

from __future__ import annotations

from api.platform.http.icelandic import engines, labels, reports
from api.platform.http.icelandic.words import NAMES

__all__ = ["NAMES", "SENTENCES", "WORDS"]

SENTENCES: dict[str, str] = {**engines.SENTENCES, **reports.SENTENCES}
WORDS: dict[str, str] = labels.LABELS
