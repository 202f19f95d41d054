from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.models import CapabilityRow
from serve.core.capability import Capability
from serve.tasks.registry import TASKS
from serve.tasks.transcription.messages import TRANSCRIPTION

ADAPTER: TypeAdapter[Capability] = TypeAdapter(Capability)


async def capability_of(session: AsyncSession, task: str = TRANSCRIPTION) -> Capability:
    """What the installation can do for a task. `loaded` is None while the model starts."""
    return _capability(task, await session.scalar(select(CapabilityRow.record).where(CapabilityRow.task == task)))


async def capabilities(session: AsyncSession) -> list[Capability]:
    """What the installation can do for each of its tasks."""
    rows = await session.execute(select(CapabilityRow.task, CapabilityRow.record))
    records = {task: record for task, record in rows}
    return [_capability(each.task.name, records.get(each.task.name)) for each in TASKS]


def _capability(task: str, record: dict[str, Any] | None) -> Capability:
    if record is None:
        return Capability(task)
    try:
        return ADAPTER.validate_python(record)
    except ValidationError:
        # Written by another version of the product. The dispatcher will write it again.
        return Capability(task)
