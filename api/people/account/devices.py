"""The browsers in which a person is signed in."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.account.schemas import DeviceOut
from api.people.account.sign_out import sign_out_everywhere
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth import session_ends, sessions
from api.people.auth.viewer import Viewer
from api.people.users.models import BrowserSession
from api.platform.http.errors import NotFound
from api.platform.jobs.outbox import end_connections
from cluster.wording.message import Message

GONE = Message("account.gone", "This browser is signed out already.")


async def devices_of(session: AsyncSession, viewer: Viewer) -> list[DeviceOut]:
    """The browsers, the viewer's own first, then the one used last."""
    rows = await sessions.open_of(session, viewer.user_id)
    devices = await asyncio.to_thread(_describe, rows, viewer.session_id)
    return sorted(devices, key=lambda device: not device.is_current)


async def sign_out(session: AsyncSession, viewer: Viewer, session_id: uuid.UUID, *, network: str) -> None:
    """Sign the viewer out in one browser. Raises `NotFound` for sessions of others too."""
    ended = await session_ends.end_one(session, viewer.user_id, session_id)
    if not ended:
        raise NotFound(GONE)
    end_connections(session, ended)
    record(session, AuditAction.SESSION_ENDED, actor_id=viewer.user_id, subject_id=viewer.user_id, network=network)


async def sign_out_others(session: AsyncSession, viewer: Viewer, *, with_this: bool, network: str) -> int:
    """Sign the viewer out in all other browsers, and in this one too if wanted. Returns how many ended."""
    ended = await sign_out_everywhere(session, viewer.user_id, but=None if with_this else viewer.session_id)
    record(
        session,
        AuditAction.SESSIONS_ENDED,
        actor_id=viewer.user_id,
        subject_id=viewer.user_id,
        network=network,
        count=len(ended),
    )
    return len(ended)


def _describe(rows: Sequence[BrowserSession], current: uuid.UUID | None) -> list[DeviceOut]:
    # Its patterns take 0.3 s to load, and only this page needs them.
    from ua_parser import parse

    devices = []
    for row in rows:
        parsed = parse(row.user_agent)
        devices.append(
            DeviceOut(
                id=row.id,
                browser=parsed.user_agent.family if parsed.user_agent else None,
                system=parsed.os.family if parsed.os else None,
                network=row.network,
                created_at=row.created_at,
                last_used_at=row.last_used_at,
                is_current=row.id == current,
            )
        )
    return devices
