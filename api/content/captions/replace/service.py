"""Find and replace in the captions of many files: show what would change, then change what was chosen."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sqlalchemy import and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import CaptionAction
from api.content.captions.after_change import announce, learn
from api.content.captions.editing.large_command import Plan, fitting, is_large, run_command
from api.content.captions.editing.saving import save
from api.content.captions.errors import EditFailed
from api.content.captions.large import tools
from api.content.captions.large.change import LargeChange, LargeWork
from api.content.captions.links import is_linked, texts_now
from api.content.captions.models import CaptionLineRow, CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.replace.schemas import (
    ReplaceExample,
    ReplaceIn,
    ReplaceOut,
    ReplacePreview,
    ReplaceQuery,
    ReplaceResult,
    ReplaceTarget,
)
from api.content.captions.stored.rows import is_sqlite
from api.content.captions.tracks import find_tracks, track_to_change
from api.content.files.models import File
from api.people.access.rules import changes, may_see
from api.people.auth.viewer import Viewer
from api.platform.db.engine import Database
from api.platform.http.errors import ApiError, Invalid
from pipelines.captions.edits.edit import EditRefused, EditResult
from pipelines.captions.edits.links import confirmed
from pipelines.captions.edits.search import BadPattern, Replacement, SearchTerms, replace_text

LINES_READ_MAX = 100_000
"""Lines that one preview reads: the captions of about 80 hours. Matching them takes about 0.2 s."""
EXAMPLES_MAX = 3
LABEL = "Replace “{query}”"


async def preview(session: AsyncSession, viewer: Viewer, body: ReplaceQuery) -> ReplacePreview:
    """What would change in each track of the named files, or of all files that the viewer may change."""
    replacement = _replacement(body)
    tracks = await _tracks(session, viewer, body.slugs)
    found: list[ReplaceOut] = []
    left, is_whole = LINES_READ_MAX, True
    for file, track, count in tracks:
        if count > left:
            is_whole = False
            continue
        left -= count
        statement = (
            select(CaptionLineRow.id, CaptionLineRow.start_ms, CaptionLineRow.text)
            .where(CaptionLineRow.track_id == track.id, CaptionLineRow.locked.is_(False))
            .order_by(CaptionLineRow.start_ms, CaptionLineRow.id)
        )
        rows = list((await session.execute(statement)).tuples())
        out = await asyncio.to_thread(_out, file, track, rows, replacement)
        if out.matches:
            found.append(out)
    return ReplacePreview(tracks=found, is_whole=is_whole)


async def apply(database: Database, viewer: Viewer, body: ReplaceIn) -> list[ReplaceResult]:
    """Replace in the chosen tracks, each as one revision of its own, which undo takes back. What fails says why."""
    _replacement(body)
    done: list[ReplaceResult] = []
    for target in body.targets:
        try:
            matches, lines, revision = await _replace(database, viewer, target, body)
        except ApiError as error:
            done.append(ReplaceResult(**target.model_dump(), matches=0, lines=0, revision=None, error=error.message))
        else:
            done.append(
                ReplaceResult(**target.model_dump(), matches=matches, lines=lines, revision=revision, error=None)
            )
    return done


async def _replace(database: Database, viewer: Viewer, target: ReplaceTarget, body: ReplaceIn) -> tuple[int, int, int]:
    """How many matches were replaced in how many lines, and the revision that this made."""

    async def read(session: AsyncSession) -> LargeWork | None:
        track = (await find_tracks(session, viewer, target.slug)).exactly(target.language).track
        if track is None or not await is_large(session, track):
            return None
        tool = partial(tools.replace_in_all, terms=_terms(body), text=body.replacement)
        lines = await queries.text_of_lines(session, track.id)
        return LargeWork(tool, track.id, track.revision + 1, lines, is_sqlite(session))

    async def write(session: AsyncSession, plan: Plan | None) -> tuple[int, int, int]:
        tracks = await find_tracks(session, viewer, target.slug, hold=True)
        track = await track_to_change(session, tracks.exactly(target.language))
        label = LABEL.format(query=body.query[:100])
        result: EditResult | LargeChange
        if (large := fitting(plan, track)) is not None:
            result, matches = large, large.places
        else:
            result, matches = await _result(session, track, _replacement(body))
        change = await save(session, viewer, track, CaptionAction.CHANGE, result, label=label)
        await learn(session, tracks.file, track, change)
        await announce(session, tracks.file, change)
        return matches, change.after_count, change.revision

    return await run_command(database, viewer, read, write)


async def _result(session: AsyncSession, track: CaptionTrack, replacement: Replacement) -> tuple[EditResult, int]:
    lines = await all_lines(session, track)
    try:
        result, matches = await asyncio.to_thread(replace_text, lines, replacement)
    except EditRefused as refused:
        raise EditFailed(str(refused)) from refused
    return (await _confirmed(session, result) if is_linked(track) else result), matches


async def _confirmed(session: AsyncSession, result: EditResult) -> EditResult:
    """A person's text of a translated line is right for the newest text of its source."""
    now = await texts_now(session, result.after)
    after = (line if line.link is None else replace(line, link=confirmed(line.link, now)) for line in result.after)
    return EditResult(result.before, tuple(after))


def _replacement(body: ReplaceQuery | ReplaceIn) -> Replacement:
    try:
        return Replacement(_terms(body), body.replacement)
    except BadPattern as error:
        raise Invalid.field("query", str(error)) from error


def _terms(body: ReplaceQuery | ReplaceIn) -> SearchTerms:
    return SearchTerms(body.query, body.match_case, body.whole_word, body.is_pattern)


async def _tracks(
    session: AsyncSession, viewer: Viewer, slugs: Sequence[str] | None
) -> list[tuple[File, CaptionTrack, int]]:
    """The tracks with their files and numbers of lines: of the newest files first."""
    count = func.count(CaptionLineRow.id)
    which = may_see(viewer, File)
    statement = (
        select(File, CaptionTrack, count)
        .join(CaptionTrack, CaptionTrack.file_id == File.id)
        .join(CaptionLineRow, CaptionLineRow.track_id == CaptionTrack.id)
        .where(which if slugs is None else and_(which, File.slug.in_(slugs)), CaptionTrack.deleted_at.is_(None))
        .group_by(File.id, CaptionTrack.id)
        .order_by(File.created_at.desc(), File.id, CaptionTrack.created_at)
    )
    rows = (await session.execute(statement)).tuples()
    return [(file, track, size) for file, track, size in rows if changes(viewer, file.user_id, file.team_id)]


def _out(
    file: File, track: CaptionTrack, rows: Sequence[tuple[uuid.UUID, int, str]], replacement: Replacement
) -> ReplaceOut:
    examples: list[ReplaceExample] = []
    matches = lines = 0
    for line_id, start_ms, text in rows:
        after, count = replacement.of(text)
        if not count:
            continue
        matches, lines = matches + count, lines + 1
        if len(examples) < EXAMPLES_MAX:
            examples.append(ReplaceExample(line=line_id, start_ms=start_ms, before=text, after=after))
    return ReplaceOut(
        slug=file.slug,
        language=track.language,
        name=file.name,
        matches=matches,
        lines=lines,
        examples=examples,
    )
