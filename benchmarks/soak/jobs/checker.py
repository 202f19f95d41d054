"""What must hold at the end, read from the database and the storage alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.files.models import File, FileStatus
from api.platform.jobs.models import Job, JobAttempt, JobChunk, OutboxMessage
from api.platform.jobs.states import AttemptEnd, JobKind, JobState
from api.platform.settings import ApiSettings
from benchmarks.soak.jobs.flows import PARTS

ONCE = (("Tus", "Completed"), ("Upload", "Transcribing"), ("Transcribe", "Completed"), ("Encoding", "Completed"))
"""Events that announce an effect: each appears once for a file."""

EACH_FILE = (JobKind.UPLOAD, JobKind.TRANSCRIBE, JobKind.ENCODING)


@dataclass
class Findings:
    """`problems` is empty if nothing was lost and nothing took effect twice."""

    jobs: int = 0
    attempts: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)


async def check(session: AsyncSession, settings: ApiSettings, expected_files: int) -> Findings:
    findings = Findings()
    files = (await session.scalars(select(File))).all()
    jobs = (await session.scalars(select(Job))).all()
    findings.jobs = len(jobs)
    if len(files) != expected_files:
        findings.problems.append(f"{len(files)} files of {expected_files}")
    _check_jobs(findings, files, jobs)
    await _check_attempts(session, findings, jobs)
    await _check_effects(session, findings, files)
    _check_storage(findings, settings, files)
    return findings


def _check_jobs(findings: Findings, files: Any, jobs: Any) -> None:
    """Every file has each of its jobs once, and each is done."""
    of_file = Counter((job.subject_id, job.kind) for job in jobs)
    wanted = Counter((file.id, kind.value) for file in files for kind in EACH_FILE)
    for key in wanted.keys() | of_file.keys():
        if of_file[key] != wanted[key]:
            findings.problems.append(f"{key[1]} job of file {key[0]}: {of_file[key]} of {wanted[key]}")
    for job in jobs:
        if job.state != JobState.DONE or job.owner is not None or job.lease_until is not None:
            findings.problems.append(f"job {job.id} {job.kind} is {job.state}, attempt {job.attempt}: {job.error}")
    for file in files:
        if file.status != FileStatus.COMPLETED or file.progress != 100:
            findings.problems.append(f"file {file.id} is {file.status} at {file.progress} %")


async def _check_attempts(session: AsyncSession, findings: Findings, jobs: Any) -> None:
    """Only the last attempt of each job succeeded; each part was stored once, by whichever attempt."""
    attempts = (await session.scalars(select(JobAttempt))).all()
    findings.attempts = len(attempts)
    findings.endings = Counter(str(attempt.ending) for attempt in attempts)
    done = {attempt.job_id: attempt.fence for attempt in attempts if attempt.ending == AttemptEnd.DONE}
    if findings.endings[AttemptEnd.DONE] != len(jobs):
        findings.problems.append(f"{findings.endings[AttemptEnd.DONE]} attempts were accepted for {len(jobs)} jobs")
    for job in jobs:
        if done.get(job.id) != job.fence:
            findings.problems.append(f"job {job.id} was done by attempt {done.get(job.id)}, its last is {job.fence}")
    parts = await session.execute(select(JobChunk.job_id, func.count()).group_by(JobChunk.job_id))
    for job_id, count in parts.tuples():
        if count != PARTS:
            findings.problems.append(f"job {job_id} has {count} parts of {PARTS}")


async def _check_effects(session: AsyncSession, findings: Findings, files: Any) -> None:
    payloads = (await session.scalars(select(OutboxMessage.payload))).all()
    announced = Counter((data["slug"], data["queue"], data["action"]) for data in (each["data"] for each in payloads))
    for file in files:
        for queue, action in ONCE[1:]:
            if announced[file.slug, queue, action] != 1:
                findings.problems.append(
                    f"{queue} {action} of {file.slug} announced {announced[file.slug, queue, action]} times"
                )
    for (slug, queue, action), count in announced.items():
        if action == "Failed":
            findings.problems.append(f"{queue} of {slug} announced as failed {count} times")
    lines = await session.execute(
        select(CaptionTrack.file_id, func.count())
        .join(CaptionLineRow, CaptionLineRow.track_id == CaptionTrack.id)
        .group_by(CaptionTrack.file_id)
    )
    of_file = dict(lines.tuples().all())
    for file in files:
        if of_file.get(file.id) != PARTS:
            findings.problems.append(f"file {file.slug} has {of_file.get(file.id, 0)} lines of {PARTS}")


def _check_storage(findings: Findings, settings: ApiSettings, files: Any) -> None:
    """Every named object exists, and nothing of a rejected attempt is left."""
    named = {key for file in files for key in (file.audio_key, file.playback_key) if key}
    stored = _files_below(settings.storage_root)
    findings.problems += [f"object {key} is missing" for key in sorted(named - stored)]
    findings.problems += [f"object {key} belongs to nobody" for key in sorted(stored - named)]
    left = _files_below(settings.work_root)
    findings.problems += [f"work file {path} is left" for path in sorted(left)]


def _files_below(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
