"""The demo account of an installation that was just started, with one sample video on its way through the pipeline."""

from __future__ import annotations

import asyncio
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import func, select

from api.auth.passwords import hash_password
from api.db.engine import Database
from api.files.creation import create_file
from api.uploads.models import Upload, UploadStatus
from api.users.models import User
from cluster.storage import Storage

DEMO_EMAIL = "demo@sagascript.local"
DEMO_PASSWORD = "sagascript"
DEMO_NAME = "Demo"
SAMPLE_NAME = "Two speakers.mp4"
SAMPLE_LANGUAGE = "en-US"


@dataclass(frozen=True)
class Demo:
    """How to sign in, and the slug of the sample when this call made it."""

    email: str
    password: str
    sample_slug: str | None


async def ensure_demo(database: Database, storage: Storage, *, sample: Path, work: Path) -> Demo | None:
    """Make the demo account in an installation that has no account yet; None when people have their own by now.

    `sample` is the video it starts with, `work` a folder for its copy. A second call
    finds the account and adds nothing.
    """
    async with database.read() as session:
        demo = await session.scalar(select(User.id).where(User.email == DEMO_EMAIL))
        people = await session.scalar(select(func.count()).select_from(User)) or 0
    if demo is not None:
        return Demo(DEMO_EMAIL, DEMO_PASSWORD, None)
    if people:
        return None
    password_hash = await hash_password(DEMO_PASSWORD)
    key = f"uploads/{uuid.uuid4().hex}/original"
    size = await asyncio.to_thread(_store, storage, sample, work, key)
    async with database.write() as session:
        user = User(name=DEMO_NAME, email=DEMO_EMAIL, password_hash=password_hash)
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
        file = await create_file(session, upload, original_key=key, size_bytes=size)
    return Demo(DEMO_EMAIL, DEMO_PASSWORD, file.slug)


def _store(storage: Storage, sample: Path, work: Path, key: str) -> int:
    """Put a copy of `sample` into storage; its size in bytes."""
    work.mkdir(parents=True, exist_ok=True)
    copy = work / f"sample-{uuid.uuid4().hex}"
    shutil.copyfile(sample, copy)
    return storage.put(copy, key)
