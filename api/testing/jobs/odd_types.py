"""Job types that only tests have: one with strange attempts, and one of a kind that the product does not have."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.speech.jobs import TRANSCRIBE_JOB
from api.content.files.models import File
from api.content.preparation.jobs import ENCODE_JOB
from api.job_types import JOB_TYPES
from api.people.ledger.metering import metered
from api.platform.jobs.handlers import Handler
from api.platform.jobs.job_type import AnyJobType, JobType, JobTypes, Price, by_kind
from api.platform.jobs.models import Job
from api.testing.jobs.strange_flows import Strange
from api.testing.jobs.toy_flow import CountRequest, CountResult, count

_REAL: tuple[AnyJobType, ...] = (TRANSCRIBE_JOB, ENCODE_JOB)
STRANGE_TYPES: JobTypes = {each.kind: replace(each, request=Strange) for each in _REAL}


class CountHandler(Handler[CountResult]):
    async def on_done(self, session: AsyncSession, job: Job, result: CountResult) -> None:
        file = await session.get_one(File, job.subject_id)
        file.name = f"{result.letters} letters"


COUNT_JOB = JobType(
    kind="count",
    title="Counting letters",
    request=CountRequest,
    result=CountResult,
    flow=f"{count.__module__}:{count.__name__}",
    cpus=0.1,
    handler=CountHandler(),
    summary_fields=("text",),
    price=Price("Counting", Fraction(2)),
    has_model=True,
)
WITH_TOY = by_kind((*JOB_TYPES.values(), metered(COUNT_JOB)))
