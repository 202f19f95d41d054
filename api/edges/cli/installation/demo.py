"""The demo account of a new installation, with one sample video in the pipeline."""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from api.content.arrivals.models import Upload, UploadStatus
from api.content.preparation.creation import create_file
from api.people.auth import session_ends
from api.people.auth.passwords import hash_password, password_matches
from api.people.ledger.service import grant
from api.people.plans.minutes import GrantSource
from api.people.users.models import User
from api.people.users.restrictions import DEMO_EMAIL
from api.platform.db.base import SLUG_ALPHABET, utc_now
from api.platform.db.engine import Database
from api.platform.jobs.outbox import end_connections
from cluster.storage.objects import Storage
from pipelines.media.sample import SAMPLE_LANGUAGE, SAMPLE_NAME, SAMPLE_SECONDS

DEMO_NAME = "Demo"
PASSWORD_FILE = "demo-password"
_GROUPS, _GROUP_LETTERS = 3, 4
"""60 random bits that are easy to read and type."""


@dataclass(frozen=True)
class Demo:
    """How to sign in, and the slug of the sample if this call created it."""

    email: str
    password: str
    sample_slug: str | None


def demo_password(folder: Path) -> str:
    """The installation's own password, generated on first use, in a file of mode 600."""
    path = folder / PASSWORD_FILE
    if not path.exists():
        groups = ("".join(secrets.choice(SLUG_ALPHABET) for _ in range(_GROUP_LETTERS)) for _ in range(_GROUPS))
        folder.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text("-".join(groups))
        draft.replace(path)
    return path.read_text().strip()


async def ensure_demo(
    database: Database, storage: Storage, *, sample: Path, work: Path, password: str, billing: bool = False
) -> Demo | None:
    """Create the demo account in an installation without accounts. Returns None when people have their own.

    `sample` is its first video, and `work` a folder for a copy of it. A later call adds nothing, but sets `password`
    if the account has another one: older installations all had the same. With `billing`, the account gets the minutes
    that its video takes.
    """
    async with database.read() as session:
        demo = await session.scalar(select(User).where(User.email == DEMO_EMAIL))
        people = await session.scalar(select(func.count()).select_from(User)) or 0
    if demo is not None:
        await _set_password(database, demo, password)
        return Demo(DEMO_EMAIL, password, None)
    if people:
        return None
    password_hash = await hash_password(password)
    key = f"uploads/{uuid.uuid4().hex}/original"
    size = await asyncio.to_thread(_store, storage, sample, work, key)
    async with database.write() as session:
        user = User(name=DEMO_NAME, email=DEMO_EMAIL, password_hash=password_hash, email_verified_at=utc_now())
        session.add(user)
        await session.flush()
        upload = Upload(
            user_id=user.id,
            filename=SAMPLE_NAME,
            filetype="video/mp4",
            filesize=size,
            bytes_uploaded=size,
            language=SAMPLE_LANGUAGE,
            status=UploadStatus.WAITING,
            is_displayed=False,
        )
        session.add(upload)
        await session.flush()
        if billing:
            await grant(
                session,
                payer_id=user.id,
                source=GrantSource.GOODWILL,
                seconds=SAMPLE_SECONDS,
                starts_at=utc_now(),
                expires_at=None,
                key=DEMO_EMAIL,
                note=SAMPLE_NAME,
            )
        file = await create_file(session, upload, original_key=key, size_bytes=size)
    return Demo(DEMO_EMAIL, password, file.slug)


async def _set_password(database: Database, demo: User, password: str) -> None:
    if await password_matches(password, demo.password_hash):
        return
    password_hash = await hash_password(password)
    async with database.write() as session:
        user = await session.get_one(User, demo.id)
        user.password_hash = password_hash
        end_connections(session, await session_ends.end_all(session, demo.id))


def _store(storage: Storage, sample: Path, work: Path, key: str) -> int:
    """Put a copy of `sample` into storage. Returns its size in bytes."""
    work.mkdir(parents=True, exist_ok=True)
    copy = work / f"sample-{uuid.uuid4().hex}"
    shutil.copyfile(sample, copy)
    return storage.put(copy, key)
