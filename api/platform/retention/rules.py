"""What a rule is that says how long we keep something, and the rules for mails. Each domain removes its own things."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import InstrumentedAttribute

from api.platform.db.engine import Database
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.models import OutboxMessage
from api.platform.mail.folder import remove_older
from api.platform.settings import ApiSettings

MAIL_DAYS = 30


@dataclass(frozen=True, slots=True)
class RuleTools:
    """What rules work with."""

    settings: ApiSettings
    database: Database
    types: JobTypes


Remove = Callable[[RuleTools, datetime], Awaitable[int]]
"""Removes what is older than this time, in transactions of its own; returns how much there was."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`keep` counts from the deletion, or from the end of what expires."""

    name: str
    keep: timedelta
    remove: Remove


def older(column: InstrumentedAttribute[datetime] | InstrumentedAttribute[datetime | None]) -> Remove:
    """Remove the rows whose time in this column is older."""

    async def remove(kept: RuleTools, before: datetime) -> int:
        async with kept.database.write() as session:
            table: Any = column.class_
            statement = delete(table).where(column < before).returning(column)
            return len((await session.execute(statement.execution_options(synchronize_session=False))).all())

    return remove


async def _mails(kept: RuleTools, before: datetime) -> int:
    return await asyncio.to_thread(remove_older, kept.settings.mail_dir, before)


MAIL_RULES = (
    Rule("mails that failed", timedelta(days=MAIL_DAYS), older(OutboxMessage.failed_at)),
    Rule("mails in the folder", timedelta(days=MAIL_DAYS), _mails),
)
