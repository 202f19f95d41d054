"""Files and jobs of a site in states that real work reaches only by accident."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File, FileKind, FileStatus
from api.people.access.event_delivery import event_delivery
from api.platform.jobs import queue
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.publisher import Publisher
from api.testing.sites.site import Site
from pipelines.messages.json_message import JsonMessage

T = TypeVar("T")


def write(site: Site, change: Callable[[AsyncSession], Awaitable[T]]) -> T:
    """Run a change in a transaction of its own."""

    async def run() -> T:
        async with site.state.database.write() as session:
            return await change(session)

    return site.call(run())


def send_events(site: Site) -> None:
    """What a dispatcher does with the outbox: hand it to the relay."""

    async def run() -> None:
        async with Publisher(site.settings) as publisher:
            delivery = event_delivery(publisher, site.state.database)
            sender = OutboxSender(site.state.database, [delivery])
            # Tests before this one may have left more than one batch.
            while await sender.send_batch(delivery):
                pass

    site.call(run())


def add_file(site: Site, user_id: uuid.UUID, name: str, status: FileStatus, **values: Any) -> File:
    async def add(session: AsyncSession) -> File:
        file = File(
            user_id=user_id,
            name=name,
            filename=f"{name}.mp4",
            original_key="none",
            language="is-IS",
            status=status,
            **{"kind": FileKind.VIDEO, "duration_ms": 60_000, "plays_in_browser": True, **values},
        )
        session.add(file)
        return file

    return write(site, add)


def add_job(site: Site, file: File, kind: JobKind, state: JobState, **values: Any) -> None:
    async def add(session: AsyncSession) -> None:
        job = await queue.enqueue(
            session,
            kind=kind,
            subject_id=file.id,
            file_id=file.id,
            user_id=file.user_id,
            dedup_key=str(uuid.uuid4()),
            request=JsonMessage(),
        )
        job.state = state
        for column, value in values.items():
            setattr(job, column, value)

    write(site, add)
