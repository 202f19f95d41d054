"""People who upload spoken files to a `NodesInstallation`, and a judgement of what became of each file."""

from __future__ import annotations

import asyncio
import base64
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI
from sqlalchemy import select

from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.files.models import File, FileStatus
from api.platform.db.engine import Database
from api.platform.jobs.models import Job, JobAttempt, OutboxMessage
from api.platform.jobs.states import AttemptEnd, JobKind, JobState
from api.testing.browser import Browser
from api.testing.nodes.installation import NodesInstallation
from cluster.testing.patience import PATIENCE_S
from serve.testing.tiny_models.clips import clip_named, synthesise

CLIPS = ("en1-rms", "en2-rms")
ONCE = (("Upload", "Transcribing"), ("Transcribe", "Completed"))
"""Events that announce an effect: each appears once for a file."""
EACH_FILE = (JobKind.UPLOAD, JobKind.TRANSCRIBE)
_TUS = {"Tus-Resumable": "1.0.0", "Content-Type": "application/offset+octet-stream"}


@dataclass
class Files:
    """All files that were uploaded, each with what is said in it."""

    installation: NodesInstallation
    database: Database
    app: FastAPI
    spoken: dict[uuid.UUID, str] = field(default_factory=dict)
    """By file id."""

    async def person(self) -> Browser:
        browser = Browser.open(self.app)
        await browser.register(f"ada-{uuid.uuid4().hex[:12]}")
        return browser

    async def upload(self, person: Browser, clip: str) -> uuid.UUID:
        """Send a sound file over the upload host into the bucket; return the file's id."""
        content = (await asyncio.to_thread(_sound, self.installation.settings.data_dir, clip)).read_bytes()
        token = (await person.post("/api/files/upload/token")).json()["token"]
        values = {"filename": f"{clip}.wav", "filetype": "audio/wav", "language": "en-US"}
        metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in values.items())
        headers = {"Upload-Length": str(len(content)), "Upload-Metadata": metadata, "Authorization": f"Bearer {token}"}
        answer = await person.post("/tus/", headers={**_TUS, **headers}, content=content)
        assert answer.status_code == 201, answer.text
        async with self.database.read() as session:
            newest = select(File.id).where(File.user_id == person.user_id).order_by(File.created_at.desc(), File.id)
            new = set(await session.scalars(newest)) - self.spoken.keys()
        (file_id,) = new
        self.spoken[file_id] = clip_named(clip).text
        return file_id

    async def jobs(self, kind: JobKind | None = None) -> list[Job]:
        async with self.database.read() as session:
            wanted = select(Job).order_by(Job.created_at, Job.id)
            return list(await session.scalars(wanted if kind is None else wanted.where(Job.kind == kind)))

    async def when(self, fits: Callable[[Sequence[Job]], bool], kind: JobKind | None = None) -> list[Job]:
        """The jobs once they fit."""
        deadline = time.monotonic() + PATIENCE_S
        while not fits(jobs := await self.jobs(kind)):
            assert time.monotonic() < deadline, f"{described(jobs)}\n{self.installation.tail()}"
            await asyncio.sleep(0.1)
        return jobs

    async def end(self) -> list[str]:
        """Wait until every file has ended; return what was lost or happened twice."""
        wanted = len(EACH_FILE) * len(self.spoken)
        over = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
        await self.when(lambda jobs: sum(job.state in over for job in jobs) >= wanted)
        return [*await self._wrong_jobs(), *await self._wrong_captions(), *await self._wrong_events()]

    async def _wrong_jobs(self) -> list[str]:
        async with self.database.read() as session:
            jobs = (await session.scalars(select(Job))).all()
            attempts = (await session.scalars(select(JobAttempt).where(JobAttempt.ending == AttemptEnd.DONE))).all()
        accepted = Counter(attempt.job_id for attempt in attempts)
        kinds = Counter((job.file_id, job.kind) for job in jobs)
        return [
            *(
                f"{kind} of {file}: {kinds[file, kind]} jobs"
                for file in self.spoken
                for kind in EACH_FILE
                if kinds[file, kind] != 1
            ),
            *(f"{job.kind} {job.id} is {job.state}: {job.error}" for job in jobs if job.state != JobState.DONE),
            *(f"{job.kind} {job.id} was done {accepted[job.id]} times" for job in jobs if accepted[job.id] != 1),
        ]

    async def _wrong_captions(self) -> list[str]:
        wrong = []
        async with self.database.read() as session:
            for file_id, text in self.spoken.items():
                file = await session.get_one(File, file_id)
                lines = select(CaptionLineRow.text).join(CaptionTrack, CaptionLineRow.track_id == CaptionTrack.id)
                found = (await session.scalars(lines.where(CaptionTrack.file_id == file_id))).all()
                if file.status != FileStatus.COMPLETED or " ".join(" ".join(found).split()) != text:
                    wrong.append(f"file {file_id} is {file.status} and says {found} instead of “{text}”")
        return wrong

    async def _wrong_events(self) -> list[str]:
        async with self.database.read() as session:
            payloads = (await session.scalars(select(OutboxMessage.payload))).all()
            slugs = set(await session.scalars(select(File.slug).where(File.id.in_(self.spoken))))
        data = [each["data"] for each in payloads if "data" in each]
        seen = Counter((each.get("slug"), each.get("queue"), each.get("action")) for each in data)
        return [
            f"{queue} {action} of {slug} was announced {seen[slug, queue, action]} times"
            for slug in slugs
            for queue, action in ONCE
            if seen[slug, queue, action] != 1
        ]


def described(jobs: Sequence[Job]) -> str:
    return "\n".join(f"{job.kind} {job.state} {job.phase!r} attempt {job.attempt} {job.error}" for job in jobs)


def begun(jobs: Sequence[Job]) -> list[Job]:
    """Jobs whose attempt works in Ray."""
    return [job for job in jobs if job.state == JobState.RUNNING and job.phase]


def _sound(folder: Path, clip: str) -> Path:
    path = folder / f"{clip}.wav"
    return path if path.exists() else synthesise(clip_named(clip), path)
