"""Icelandic for what answers say, by the English sentence. Values stand in holes such as `{count}`."""

from __future__ import annotations

from api.platform.http.icelandic import (
    billing,
    captions,
    engines,
    events,
    files,
    labels,
    media,
    reports,
    requests,
    subtitle_files,
    teams,
    texts,
    uploads,
    webhooks,
)
from api.platform.http.icelandic.words import FIELDS, LANGUAGES, NAMES, PHRASES

__all__ = ["NAMES", "SENTENCES", "WORDS"]

SENTENCES: dict[str, str] = {
    **billing.SENTENCES,
    **captions.SENTENCES,
    **engines.SENTENCES,
    **events.SENTENCES,
    **files.SENTENCES,
    **labels.SENTENCES,
    **media.SENTENCES,
    **reports.SENTENCES,
    **requests.SENTENCES,
    **subtitle_files.SENTENCES,
    **teams.SENTENCES,
    **texts.SENTENCES,
    **uploads.SENTENCES,
    **webhooks.SENTENCES,
}
WORDS: dict[str, str] = {**LANGUAGES, **FIELDS, **PHRASES, **labels.LABELS}
