"""What a job does to the rows it serves. Each domain owns the handler of its kinds.

Every method runs inside the transaction that changes the job's own row, guarded by the fence, so both change together
or not at all. A handler may enqueue children and announce events through the same session; it does no other I/O.
"""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs.models import Job
from pipelines.flows.messages import Chunk, Progress


class JobHandler(Protocol):
    async def on_started(self, session: AsyncSession, job: Job) -> None:
        """An attempt begins. It may be the second one: earlier progress starts again."""
        ...

    async def on_progress(self, session: AsyncSession, job: Job, progress: Progress) -> None: ...

    async def on_chunk(self, session: AsyncSession, job: Job, chunk: Chunk) -> None:
        """A part of the result is kept; its row in `job_chunks` is written already."""
        ...

    async def on_done(self, session: AsyncSession, job: Job, result: dict[str, Any]) -> None: ...

    async def on_failed(self, session: AsyncSession, job: Job, reason: str) -> None:
        """No attempt is left. `reason` is a sentence for the user."""
        ...

    async def on_cancelled(self, session: AsyncSession, job: Job) -> None: ...


def handlers() -> dict[str, JobHandler]:
    """The handler of every kind. Imported late: the domains import the queue."""
    from api.captions.jobs import TranscribeHandler
    from api.exports.jobs import ExportHandler
    from api.files.jobs import EncodingHandler, UploadHandler
    from api.jobs.states import JobKind

    return {
        JobKind.UPLOAD: UploadHandler(),
        JobKind.ENCODING: EncodingHandler(),
        JobKind.TRANSCRIBE: TranscribeHandler(),
        JobKind.EXPORT: ExportHandler(),
    }
