"""What a translation job is asked to do, frozen when it is queued."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.links import texts_of_source
from api.content.captions.models import CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.speakers import names_of
from api.content.captions.speech.runs import subject_of
from api.content.captions.speech.target_lines import source_line_of, target_of_line
from api.content.files.models import File
from api.content.glossary import queries as glossary
from api.people.ledger.metering import reserve_for
from api.people.plans.payer import priority_of
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from pipelines.captions.edits.links import is_stale
from pipelines.messages.caption_rules import rules_for
from pipelines.messages.lines import CaptionLine, Writer
from pipelines.messages.translate import Formality, TranslateRequest


@dataclass(frozen=True, slots=True)
class RefreshScope:
    """Which source lines are translated again; None: all of them. `include_edited`: also where a person wrote."""

    source_ids: Collection[str] | None = None
    include_edited: bool = False


async def lines_to_refresh(
    session: AsyncSession,
    track: CaptionTrack,
    source_lines: Sequence[CaptionLine],
    chosen: Collection[uuid.UUID] | None,
    *,
    include_edited: bool,
) -> set[str]:
    """The ids of source lines that a refresh translates: the chosen ones, or those that are stale or missing.

    `chosen` may name lines of either track. Lines that a person wrote are left out unless `include_edited`.
    """
    lines = await all_lines(session, track)
    now = await texts_of_source(session, track)
    wanted = None if chosen is None else {str(each) for each in chosen}
    linked: set[str] = set()
    found: set[str] = set()
    for line in lines:
        if line.link is None:
            continue
        ids = {source.id for source in line.link.sources}
        linked |= ids
        is_wanted = is_stale(line.link, now) if wanted is None else line.id in wanted or not wanted.isdisjoint(ids)
        if is_wanted and (include_edited or line.link.by is Writer.MODEL):
            found |= ids
    missing = {line.id for line in source_lines if line.text} - linked
    return found | (missing if wanted is None else missing & wanted)


async def queue_translation(
    session: AsyncSession,
    user_id: uuid.UUID,
    file: File,
    source: CaptionTrack,
    language: str,
    *,
    formality: Formality,
    source_lines: Sequence[CaptionLine],
    present: CaptionTrack | None,
    existing: Sequence[CaptionLine],
    wanted: RefreshScope,
    is_live: bool = False,
) -> None:
    """Queue a job of somebody's that translates `source` into `language`.

    `present` is the translation that is there already, with its lines `existing`. With `is_live` both tracks have more
    lines than are given, before these.
    """
    names = await names_of(session, file.id)
    request = TranslateRequest(
        file_id=str(file.id),
        track_id=str(source.id),
        source_language=source.language,
        target_language=language,
        lines=tuple(source_line_of(line, names) for line in source_lines),
        wanted=() if wanted.source_ids is None else tuple(_in_order(source_lines, wanted.source_ids)),
        existing=tuple(target_of_line(line) for line in existing),
        glossary=await glossary.terms_for(session, user_id, file.team_id, source=source.language, target=language),
        formality=formality,
        caption_rules=rules_for(language),
        target_revision=None if present is None else present.revision,
        include_edited=wanted.include_edited,
        is_live=is_live,
    )
    job = await enqueue(
        session,
        kind=JobKind.TRANSLATE,
        subject_id=subject_of(file.id, language),
        file_id=file.id,
        user_id=user_id,
        priority=await priority_of(session, user_id, file.team_id),
        dedup_key=f"{JobKind.TRANSLATE}:{file.id}:{language}:{uuid.uuid4()}",
        request=request,
        work=len(source_lines) if wanted.source_ids is None else len(wanted.source_ids),
    )
    await reserve_for(session, job, file, duration_ms=file.duration_ms)


def _in_order(lines: Sequence[CaptionLine], ids: Collection[str]) -> list[str]:
    return [line.id for line in lines if line.id in ids]
