"""Icelandic for what answers say, by the English sentence. Values stand in holes such as `{count}`."""

from __future__ import annotations

from api.platform.http.icelandic import (
    billing,
    captions,
    engines,
    files,
    labels,
    reports,
    teams,
    texts,
)
from api.platform.http.icelandic.words import NAMES, PHRASES

__all__ = ["NAMES", "SENTENCES", "WORDS"]

SENTENCES: dict[str, str] = {
    **billing.SENTENCES,
    **captions.SENTENCES,
    **engines.SENTENCES,
    **files.SENTENCES,
    **reports.SENTENCES,
    **teams.SENTENCES,
    **texts.SENTENCES,
}
WORDS: dict[str, str] = {**PHRASES, **labels.LABELS}
