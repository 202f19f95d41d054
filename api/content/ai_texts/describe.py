"""AI texts as the page sees them."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts import queries
from api.content.ai_texts.content import Block, CitedLine, Content, block_of
from api.content.ai_texts.coverage import cited_by_minute, covered_ms
from api.content.ai_texts.models import AiText, AiTextVersion, VersionKind
from api.content.ai_texts.rendering import markdown_of
from api.content.ai_texts.schemas import TYPE_LABELS, AiTextOut, BlockOut, CiteOut, CoverageOut, SentenceOut
from api.content.ai_texts.transitions import OPEN
from api.content.ai_texts.versions import current_versions
from api.content.files.models import File
from api.content.files.waiting import waiting_of
from api.platform.jobs.order import queue_position
from api.platform.jobs.order.queue_position import QueuePosition
from api.platform.jobs.states import JobState
from pipelines.ai_text.coverage import MINUTE_MS
from pipelines.languages import language_label
from pipelines.messages.minutes import TextType
from serve.tasks.engine_labels import engine_label

NOBODY = "Nobody"
"""Stands for the speaker of a line that has none any more."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The cited lines as they were when the text was written, and those that are still there as they are now."""

    then: Mapping[str, CitedLine]
    now: Mapping[str, CitedLine]

    def cite(self, line_id: str, sentence: str) -> CiteOut | None:
        """The line behind a sentence. It has changed too when the sentence names its speaker by a former name."""
        then, now = self.then.get(line_id), self.now.get(line_id)
        line = now or then
        if line is None:
            return None
        text, was = line.text, None
        if then is not None and now is not None:
            if then.speaker is not None and then.speaker != now.speaker and then.speaker in sentence:
                text, was = f"{now.speaker or NOBODY}: {now.text}", f"{then.speaker}: {then.text}"
            elif then.text != now.text:
                was = then.text
        return CiteOut(
            line_id=line_id, start_ms=line.start_ms, end_ms=line.end_ms, text=text, was=was, is_gone=now is None
        )


async def describe_all(session: AsyncSession, file: File, texts: Sequence[AiText]) -> list[AiTextOut]:
    """The texts of one file, with their drafts, queue positions and what has changed in the lines they cite."""
    versions = await current_versions(session, texts)
    contents = {text_id: Content.from_json(version.content) for text_id, version in versions.items()}
    drafts = {text.id: await _draft(session, text) for text in texts if text.version == 0 and text.status in OPEN}
    cited = {line_id for content in (*contents.values(), *drafts.values()) for line_id in content.cited_ids()}
    now = await queries.lines_now(session, file.id, cited)
    jobs = await queries.jobs_of(session, texts)
    positions = await queue_position.positions(
        session, [job.id for job in jobs.values() if job.state == JobState.READY]
    )
    return [
        _describe(
            text,
            contents.get(text.id) or drafts.get(text.id) or Content(title="", blocks=()),
            versions.get(text.id),
            now,
            jobs.get(text.job_id) if text.job_id else None,
            positions,
        )
        for text in texts
    ]


async def describe(session: AsyncSession, file: File, text: AiText) -> AiTextOut:
    return (await describe_all(session, file, [text]))[0]


async def _draft(session: AsyncSession, text: AiText) -> Content:
    blocks = await queries.draft_blocks(session, text.job_id) if text.job_id else []
    known = {line_id for block in blocks for sentence in block.sentences for line_id in sentence.line_ids}
    return Content(title="", blocks=tuple(block_of(block, known) for block in blocks))


def _describe(
    text: AiText,
    content: Content,
    version: AiTextVersion | None,
    now: Mapping[str, CitedLine],
    job: Row[*tuple[Any, ...]] | None,
    positions: Mapping[uuid.UUID, QueuePosition],
) -> AiTextOut:
    lines = Lines({line.id: line for line in content.lines}, now)
    blocks = [_block(number, block, lines) for number, block in enumerate(content.blocks)]
    coverage = _coverage(content)
    waiting = waiting_of(job, positions)
    engine = version.engine if version is not None else {}
    return AiTextOut(
        id=text.id,
        type=TextType(text.type),
        label=TYPE_LABELS[TextType(text.type)],
        language=text.language,
        language_label=language_label(text.language),
        state=text.status,
        progress=text.progress,
        eta_s=waiting.eta_s,
        queue_place=waiting.queue_place,
        retry_at=waiting.retry_at,
        stalled_s=waiting.stalled_s,
        title=content.title,
        blocks=blocks,
        is_draft=version is None,
        content=markdown_of(content, text.language),
        version=text.version,
        is_edited=_is_edited(content, version),
        is_stale=any(block.stale for block in blocks),
        covered_ms=covered_ms(coverage.speech_ms, coverage.cited_ms),
        total_ms=sum(coverage.speech_ms),
        coverage=coverage,
        notes=list(content.notes),
        engine=engine_label(engine["engine"], engine["model"]) if engine else None,
        is_selection=bool(engine.get("only_selects")),
        error=text.error,
        created_at=text.created_at,
        updated_at=version.created_at if version is not None else text.updated_at,
    )


def _is_edited(content: Content, version: AiTextVersion | None) -> bool:
    """Also when a person only took something out."""
    typed = any(sentence.by_person for block in content.blocks for sentence in block.sentences)
    return typed or (version is not None and version.kind == VersionKind.EDITED)


def _block(number: int, block: Block, lines: Lines) -> BlockOut:
    sentences = [
        SentenceOut(
            text=sentence.text,
            unsupported=sentence.unsupported,
            by_person=sentence.by_person,
            cites=[
                cite
                for line_id in sentence.line_ids
                if (cite := lines.cite(line_id, f"{sentence.text} {block.owner or ''}")) is not None
            ],
        )
        for sentence in block.sentences
    ]
    return BlockOut(
        id=f"block-{number}",
        kind=block.kind,
        owner=block.owner,
        due=block.due,
        stale=any(cite.is_gone or cite.was is not None for sentence in sentences for cite in sentence.cites),
        sentences=sentences,
    )


def _coverage(content: Content) -> CoverageOut:
    """A sentence without support covers nothing."""
    cited = supported_ids(content.blocks)
    spans = ((line.start_ms, line.end_ms) for line in content.lines if line.id in cited)
    return CoverageOut(
        minute_ms=MINUTE_MS,
        speech_ms=list(content.speech_ms),
        cited_ms=list(cited_by_minute(spans, len(content.speech_ms))),
    )


def supported_ids(blocks: Collection[Block]) -> set[str]:
    """The lines that at least one supported sentence cites."""
    return {
        line_id
        for block in blocks
        for sentence in block.sentences
        if not sentence.unsupported
        for line_id in sentence.line_ids
    }
