"""The AI texts of many files, for lists of files."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.models import AiText
from api.content.ai_texts.schemas import TYPE_LABELS, AiTextBrief
from api.platform.db.expressions import in_list
from pipelines.messages.minutes import TextType


async def briefs_of(session: AsyncSession, file_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[AiTextBrief]]:
    """By file, in the order in which the texts were first requested. One query."""
    statement = (
        select(AiText.file_id, AiText.type, AiText.language, AiText.status, AiText.progress)
        .where(in_list(session, AiText.file_id, file_ids))
        .order_by(AiText.created_at, AiText.id)
    )
    found: dict[uuid.UUID, list[AiTextBrief]] = defaultdict(list)
    for row in await session.execute(statement):
        type_ = TextType(row.type)
        found[row.file_id].append(
            AiTextBrief(
                type=type_, label=TYPE_LABELS[type_], language=row.language, state=row.status, progress=row.progress
            )
        )
    return found
