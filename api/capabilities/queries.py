from __future__ import annotations

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.capabilities.models import CapabilityRow
from serve.capability import TRANSCRIPTION, Capability
from serve.tasks import TASKS

ADAPTER: TypeAdapter[Capability] = TypeAdapter(Capability)


async def capability_of(session: AsyncSession, task: str = TRANSCRIPTION) -> Capability:
    """What the installation can do for a task. `loaded` is None while the model starts."""
    record = await session.scalar(select(CapabilityRow.record).where(CapabilityRow.task == task))
    if record is None:
        return Capability(task)
    try:
        return ADAPTER.validate_python(record)
    except ValidationError:
        # Written by another version of the product. The dispatcher will write it again.
        return Capability(task)


async def capabilities(session: AsyncSession) -> list[Capability]:
    """What the installation can do for each of its tasks."""
    return [await capability_of(session, each.task.name) for each in TASKS]
