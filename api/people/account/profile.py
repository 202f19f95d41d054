"""A person's name, language, picture and address."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.account.verification import send_link
from api.people.audit.actions import AuditAction
from api.people.audit.service import record
from api.people.auth.service import EMAIL_TAKEN
from api.people.auth.viewer import Viewer
from api.people.membership.domains import require_domains
from api.people.teams.models import Membership
from api.people.users.avatar_address import new_avatar_key
from api.people.users.models import User
from api.platform.http.errors import Invalid, NotFound
from api.platform.http.state import AppState
from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.mail.messages import EmailChangeRequested
from api.platform.mail.outgoing import send_later
from api.platform.settings import ApiSettings
from cluster.storage.objects import Storage
from cluster.wording.message import Message
from pipelines.pictures.avatar_process import make_avatar_in_process
from pipelines.pictures.unreadable import UnreadablePicture

SAME_EMAIL = Message("account.same_email", "This is your email address already.")


async def store_picture(state: AppState, user_id: uuid.UUID, raw: bytes) -> str:
    """Make a person's picture from an image file and store it. Returns its key. Raises `Invalid` for bad images."""
    try:
        jpeg = await asyncio.to_thread(make_avatar_in_process, raw)
    except UnreadablePicture as unreadable:
        raise Invalid.field("img", str(unreadable)) from None
    key = new_avatar_key(user_id)
    await asyncio.to_thread(_put, state.storage, state.settings.work_root, jpeg, key)
    return key


def set_picture(session: AsyncSession, user: User, key: str | None) -> None:
    if user.avatar_key is not None:
        remove_later(session, keys=[user.avatar_key])
    user.avatar_key = key


async def picture_of(session: AsyncSession, viewer: Viewer, user_id: uuid.UUID, version: str) -> str:
    """The key of a picture, for the person, their colleagues in teams and administrators. Raises `NotFound`."""
    owner = await session.get(User, user_id)
    if owner is None or owner.avatar_key is None or not owner.avatar_key.endswith(f"/{version}.jpg"):
        raise NotFound
    if not viewer.is_admin and owner.id != viewer.user_id and not await _is_colleague(session, viewer, owner.id):
        raise NotFound
    return owner.avatar_key


async def change_email(session: AsyncSession, settings: ApiSettings, user: User, email: str, *, network: str) -> None:
    """Begin to use another address. Raises `Invalid` for one that somebody has.

    An address that mail has reached stays until the link sent to the new one is opened, and gets a notice. One that was
    never verified is replaced at once.
    """
    if email == user.email and user.pending_email is None:
        raise Invalid.field("email", SAME_EMAIL)
    if await session.scalar(select(User.id).where(User.email == email, User.id != user.id)) is not None:
        raise Invalid.field("email", EMAIL_TAKEN)
    await require_domains(session, user, email)
    before = user.email
    if email == user.email:
        user.pending_email = None
        return
    if user.email_verified_at is None:
        user.email = email
    else:
        user.pending_email = email
    send_later(session, EmailChangeRequested(to=before, locale=user.locale, name=user.name, new_email=email))
    await send_link(session, settings, user)
    record(
        session,
        AuditAction.EMAIL_CHANGE_REQUESTED,
        actor_id=user.id,
        actor_email=before,
        subject_id=user.id,
        network=network,
        before=before,
        after=email,
    )
    await session.flush()


async def _is_colleague(session: AsyncSession, viewer: Viewer, user_id: uuid.UUID) -> bool:
    shared = select(Membership.user_id).where(Membership.user_id == user_id, Membership.team_id.in_(viewer.teams))
    return await session.scalar(shared.limit(1)) is not None


def _put(storage: Storage, folder: Path, content: bytes, key: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    draft = folder / f"avatar-{uuid.uuid4().hex}"
    draft.write_bytes(content)
    try:
        storage.put(draft, key)
    finally:
        draft.unlink(missing_ok=True)
