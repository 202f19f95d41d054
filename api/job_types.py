"""Every kind of job, by domain: what the web process and the dispatcher are given."""

from __future__ import annotations

from api.ai_texts.jobs import JOB_TYPES as AI_TEXTS
from api.captions.jobs import JOB_TYPES as CAPTIONS
from api.captions.reruns.jobs import JOB_TYPES as RERUNS
from api.exports.jobs import JOB_TYPES as EXPORTS
from api.files.jobs import JOB_TYPES as FILES
from api.jobs.job_type import by_kind
from api.ledger.metering import metered
from api.speakers.jobs import JOB_TYPES as SPEAKERS
from api.speech.jobs import JOB_TYPES as SPEECH
from api.translations.jobs import JOB_TYPES as TRANSLATIONS

_BY_DOMAIN = (*FILES, *CAPTIONS, *RERUNS, *AI_TEXTS, *TRANSLATIONS, *SPEAKERS, *EXPORTS, *SPEECH)
JOB_TYPES = by_kind(metered(job_type) for job_type in _BY_DOMAIN)
