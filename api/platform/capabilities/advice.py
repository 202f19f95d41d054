"""What people read about a task that cannot be used: administrators how to mend it, everybody else whom to ask."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.queries import capability_of
from cluster.wording.message import Message
from serve.core.capability import Capability, FetchState, ModelFetch, TaskState, TaskStatus
from serve.tasks.transcription.messages import TRANSCRIPTION

MISSING = Message("capabilities.missing", "No model for this is installed here. Ask an administrator to install one.")
FAILED = Message("capabilities.failed", "The model for this does not run at the moment. It is tried again by itself.")
NOT_FETCHED = Message(
    "capabilities.not_fetched",
    "A better speech model could not be downloaded. Ask an administrator to install one. The built-in engine "
    "transcribes English only.",
)

_FOR_MEMBERS = {TaskState.MISSING: MISSING, TaskState.FAILED: FAILED}
_ON_ITS_WAY = (FetchState.RUNNING, FetchState.READY)


async def capability_for(session: AsyncSession, task: str = TRANSCRIPTION, *, is_admin: bool) -> Capability:
    """What the installation can do for a task, in sentences for an administrator or for everybody else."""
    return in_words_for(await capability_of(session, task), is_admin=is_admin)


def in_words_for(capability: Capability, *, is_admin: bool) -> Capability:
    """The capability without commands, settings and folders, unless it is for an administrator."""
    if is_admin:
        return capability
    status, loaded, fetch = capability.status, capability.loaded, capability.fetch
    return replace(
        capability,
        status=status and TaskStatus(status.state, _FOR_MEMBERS.get(status.state, "")),
        loaded=loaded and replace(loaded, problem=""),
        fetch=fetch and _fetch_in_words(fetch),
    )


def _fetch_in_words(fetch: ModelFetch) -> ModelFetch:
    # One that stopped in the middle resumes by itself.
    is_on_its_way = fetch.state in _ON_ITS_WAY or (fetch.state is FetchState.PAUSED and fetch.bytes_total > 0)
    return fetch if is_on_its_way else replace(fetch, sentence=NOT_FETCHED)
