"""Icelandic for what answers say, by the English sentence. Values stand in holes such as `{count}`."""

from __future__ import annotations

from api.platform.http.icelandic import (
    billing,
    captions,
    engines,
    events,
    files,
    labels,
    reports,
    teams,
    texts,
    webhooks,
)
from api.platform.http.icelandic.words import LANGUAGES, NAMES, PHRASES

__all__ = ["NAMES", "SENTENCES", "WORDS"]

SENTENCES: dict[str, str] = {
    **billing.SENTENCES,
    **captions.SENTENCES,
    **engines.SENTENCES,
    **events.SENTENCES,
    **files.SENTENCES,
    **reports.SENTENCES,
    **teams.SENTENCES,
    **texts.SENTENCES,
    **webhooks.SENTENCES,
}
WORDS: dict[str, str] = {**LANGUAGES, **PHRASES, **labels.LABELS}
