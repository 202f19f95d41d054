"""Every kind of job, by domain: what the web process and the dispatcher are given."""

from __future__ import annotations

from api.content.ai_texts.jobs import JOB_TYPES as AI_TEXTS
from api.content.captions.reruns.jobs import JOB_TYPES as RERUNS
from api.content.captions.speech.jobs import JOB_TYPES as CAPTIONS
from api.content.captions.timing.jobs import JOB_TYPES as TIMING
from api.content.exports.jobs import JOB_TYPES as EXPORTS
from api.content.live.jobs import JOB_TYPES as LIVE
from api.content.preparation.jobs import JOB_TYPES as FILES
from api.content.speakers.jobs import JOB_TYPES as SPEAKERS
from api.content.translations.jobs import JOB_TYPES as TRANSLATIONS
from api.edges.speech.jobs import JOB_TYPES as SPEECH
from api.people.ledger.metering import metered
from api.platform.jobs.job_type import by_kind

_BY_DOMAIN = (*FILES, *CAPTIONS, *RERUNS, *TIMING, *AI_TEXTS, *TRANSLATIONS, *SPEAKERS, *EXPORTS, *LIVE, *SPEECH)
JOB_TYPES = by_kind(metered(job_type) for job_type in _BY_DOMAIN)
