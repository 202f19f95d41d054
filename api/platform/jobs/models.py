from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, utc_now
from api.platform.db.message_text import MessageText
from api.platform.db.transitions import status_type
from api.platform.jobs.states import AttemptEnd, JobState


class Job(HasId, HasTimes, Base):
    """One piece of background work. `request` never changes; every write of an attempt compares `fence`.

    Only the database's clock sets `lease_until`, `run_after`, `progress_at`, `eta_at`, `started_at` and `finished_at`.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_state_run_after", "state", "run_after"),
        Index("ix_jobs_subject", "subject_id", "kind"),
        # A claim needs to know who was served lately; without this index it reads everything those users ever ran.
        Index("ix_jobs_user_id_started_at", "user_id", "started_at"),
        # Figures over all finished work are read from this index alone.
        Index("ix_jobs_kind_state_finished_at", "kind", "state", "finished_at", "work", "error_code"),
    )

    kind: Mapped[str] = mapped_column(String(20))
    subject_id: Mapped[uuid.UUID] = mapped_column()
    """The row the job serves: a file, or an export for kind `export`."""
    file_id: Mapped[uuid.UUID | None] = mapped_column(index=True)
    """The file it belongs to, also of a job that serves something else. No foreign key: a job outlives its file."""
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    dedup_key: Mapped[str] = mapped_column(String(200), unique=True)
    request: Mapped[dict[str, Any]] = mapped_column(default=dict)
    result: Mapped[dict[str, Any] | None] = mapped_column()
    state: Mapped[JobState] = mapped_column(status_type(JobState), default=JobState.READY)
    attempt: Mapped[int] = mapped_column(default=0)
    priority: Mapped[int] = mapped_column(default=0)
    work: Mapped[int] = mapped_column(BigInteger, default=0)
    """How much there is to do: milliseconds of media, bytes for kind `upload`, 0 if unknown."""
    run_after: Mapped[datetime] = mapped_column(default=utc_now)
    """The earliest start, also of a retry."""
    owner: Mapped[str | None] = mapped_column(String(100))
    fence: Mapped[int] = mapped_column(default=0)
    lease_until: Mapped[datetime | None] = mapped_column()
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    progress: Mapped[int] = mapped_column(default=0)
    phase: Mapped[str] = mapped_column(String(40), default="")
    progress_done: Mapped[int] = mapped_column(BigInteger, default=0)
    progress_total: Mapped[int] = mapped_column(BigInteger, default=0)
    progress_at: Mapped[datetime | None] = mapped_column()
    """When the running attempt last made progress."""
    eta_at: Mapped[datetime | None] = mapped_column()
    """When the running attempt should end; None while unknown."""
    parent_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("jobs.id", ondelete="SET NULL"))
    request_id: Mapped[str | None] = mapped_column(String(64))
    """The HTTP request that queued it, as logs name it."""
    error_code: Mapped[str | None] = mapped_column(String(60))
    error: Mapped[str | None] = mapped_column(MessageText)
    started_at: Mapped[datetime | None] = mapped_column()
    finished_at: Mapped[datetime | None] = mapped_column()


class JobAttempt(HasId, Base):
    """One attempt and how it ended; `ended_at` is None while it runs. `fence` is its job's at that time.

    `number` counts like the job's `attempt`: a hand-back does not count, so two rows may have the same number.
    """

    __tablename__ = "job_attempts"
    __table_args__ = (
        UniqueConstraint("job_id", "fence"),
        Index("ix_job_attempts_kind_ending_ended_at", "kind", "ending", "ended_at"),
    )

    job_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"))
    fence: Mapped[int] = mapped_column()
    number: Mapped[int] = mapped_column()
    kind: Mapped[str] = mapped_column(String(20))
    owner: Mapped[str | None] = mapped_column(String(100))
    work: Mapped[int] = mapped_column(BigInteger, default=0)
    engine: Mapped[str | None] = mapped_column(String(200))
    """The model that did the work, if any: the speed of one model says nothing about another."""
    device: Mapped[str | None] = mapped_column(String(40))
    """Where the model ran: `cpu`, `cuda`."""
    started_at: Mapped[datetime] = mapped_column()
    ended_at: Mapped[datetime | None] = mapped_column()
    ending: Mapped[AttemptEnd | None] = mapped_column(status_type(AttemptEnd))
    note: Mapped[str | None] = mapped_column(MessageText)
    """The sentence for people if the attempt failed."""


class JobChunk(HasId, Base):
    """A finished part of a job's result, stored so that a later attempt continues after it."""

    __tablename__ = "job_chunks"
    __table_args__ = (UniqueConstraint("job_id", "key"),)

    job_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"))
    key: Mapped[str] = mapped_column(String(60))
    fence: Mapped[int] = mapped_column()
    payload: Mapped[dict[str, Any]] = mapped_column()
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class OutboxMessage(Base):
    """A message written in the transaction it belongs to and sent after its commit: an event, mail or webhook."""

    __tablename__ = "outbox"
    __table_args__ = (
        Index("ix_outbox_published_at_id", "published_at", "id"),
        Index("ix_outbox_topic_failed_at", "topic", "failed_at"),
    )

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    topic: Mapped[str] = mapped_column(String(40))
    payload: Mapped[dict[str, Any]] = mapped_column()
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    published_at: Mapped[datetime | None] = mapped_column()
    attempts: Mapped[int] = mapped_column(default=0)
    not_before: Mapped[datetime | None] = mapped_column()
    """The earliest next attempt, of a message that its receiver put off."""
    failed_at: Mapped[datetime | None] = mapped_column()
    """When we stopped trying. The message stays for administrators, who may send it again."""
    error: Mapped[str | None] = mapped_column(MessageText)
    """Why the newest attempt failed, as a sentence without the receiver's address."""
