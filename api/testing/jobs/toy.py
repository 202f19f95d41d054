"""A kind of job that the product does not have: one flow, its request and result, and one `JobType`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy.ext.asyncio import AsyncSession

from api.files.models import File
from api.job_types import JOB_TYPES
from api.jobs.handlers import Handler
from api.jobs.job_type import JobType, by_kind
from api.jobs.models import Job
from pipelines.flows.json_message import JsonMessage
from pipelines.flows.messages import Attempt, Progress, Result
from pipelines.flows.results import FlowResult


class CountRequest(JsonMessage):
    text: str


class CountResult(FlowResult):
    letters: int


def count(request: CountRequest, attempt: Attempt) -> Iterator[Progress | Result]:
    yield Progress("counting", 0, len(request.text), "letters")
    yield Result(CountResult(letters=len(request.text)))


class CountHandler(Handler[CountResult]):
    async def on_done(self, session: AsyncSession, job: Job, result: CountResult) -> None:
        file = await session.get_one(File, job.subject_id)
        file.name = f"{result.letters} letters"


COUNT_JOB = JobType(
    kind="count",
    title="Counting letters",
    request=CountRequest,
    result=CountResult,
    flow=f"{__name__}:{count.__name__}",
    cpus=0.1,
    handler=CountHandler(),
    summary_fields=("text",),
)
WITH_TOY = by_kind((*JOB_TYPES.values(), COUNT_JOB))
