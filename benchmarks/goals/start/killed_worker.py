"""A worker killed during a job in a running installation: what is lost, and when the job resumes."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import time
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sqlalchemy import select

import api.tables  # noqa: F401
from api.content.captions.models import CaptionLineRow
from api.content.files.models import File, FileStatus
from api.content.preparation.work import transcribe_work
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.jobs.models import Job, JobChunk
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind, JobState
from api.platform.settings import ApiSettings
from cluster.storage.folder import LocalStorage
from cluster.testing.processes import descendants

T = TypeVar("T")

PATIENCE_S = 180.0
KEPT_BEFORE = 5


@dataclass(frozen=True, slots=True)
class Killed:
    """`done_again` counts windows finished before the kill and decoded again after it."""

    kept: int
    windows: int
    lines: int
    done_again: int
    continued_s: float


async def kill_a_worker(supervisor: int, data: Path, wav: Path) -> Killed:
    """Queue the sound for transcription; kill its worker with SIGKILL once `KEPT_BEFORE` windows are stored."""
    settings = ApiSettings(data_dir=data)
    database = Database(settings.db_url)
    try:
        job = await _queued(database, settings, wav)
        await _until(lambda: _chunks(database, job), lambda chunks: len(chunks) >= KEPT_BEFORE)
        os.kill(_worker_of(supervisor), signal.SIGKILL)
        killed = time.monotonic()
        before = await _chunks(database, job)
        await _until(lambda: _chunks(database, job), lambda chunks: len(chunks.keys() - before.keys()) > 0)
        continued_s = time.monotonic() - killed
        await _until(lambda: _state(database, job), lambda state: state == JobState.DONE)
        after = await _chunks(database, job)
        async with database.read() as session:
            lines = len((await session.scalars(select(CaptionLineRow.id))).all())
        again = sum(after[key] != fence for key, fence in before.items())
        return Killed(len(before), len(after), lines, again, continued_s)
    finally:
        await database.close()


async def _queued(database: Database, settings: ApiSettings, wav: Path) -> uuid.UUID:
    key = f"files/{uuid.uuid4().hex}/audio.wav"
    copy = settings.storage_root / f".{uuid.uuid4().hex}"
    shutil.copyfile(wav, copy)
    size = LocalStorage(settings.storage_root).put(copy, key)
    async with database.write() as session:
        user = (await session.scalars(select(User))).one()
        file = File(
            user_id=user.id,
            name="long",
            filename="long.wav",
            language="en-US",
            original_key=key,
            audio_key=key,
            status=FileStatus.TRANSCRIBING,
            duration_ms=size // 32,
        )
        session.add(file)
        await session.flush()
        job = await enqueue(
            session,
            kind=JobKind.TRANSCRIBE,
            subject_id=file.id,
            file_id=file.id,
            user_id=user.id,
            dedup_key=f"transcribe:{file.id}",
            request=(await transcribe_work(session, file)).request,
        )
        return job.id


def _worker_of(supervisor: int) -> int:
    """The Ray worker whose title names the job's kind."""
    for pid in descendants(supervisor):
        if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"ray::transcribe"):
            return pid
    raise RuntimeError("No worker transcribes.")


async def _chunks(database: Database, job: uuid.UUID) -> dict[str, int]:
    """The fence of every stored window by its key."""
    async with database.read() as session:
        rows = await session.execute(select(JobChunk.key, JobChunk.fence).where(JobChunk.job_id == job))
        return {key: fence for key, fence in rows}


async def _state(database: Database, job: uuid.UUID) -> str:
    async with database.read() as session:
        return (await session.scalars(select(Job.state).where(Job.id == job))).one()


async def _until(look: Callable[[], Awaitable[T]], fits: Callable[[T], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not fits(await look()):
        if time.monotonic() > deadline:
            raise RuntimeError("The job does not go on.")
        await asyncio.sleep(0.02)
