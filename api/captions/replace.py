"""Find and replace in the captions of many files: show what would change, then change what was chosen."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import and_, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.access.rules import changes, may_see
from api.auth.viewer import Viewer
from api.captions.errors import EditFailed
from api.captions.links import is_linked, texts_now
from api.captions.models import CaptionLineRow, CaptionTrack
from api.captions.reading import all_lines
from api.captions.replace_schemas import (
    Replaced,
    ReplaceExample,
    ReplaceIn,
    ReplaceOut,
    ReplacePreview,
    ReplaceQuery,
    ReplaceTarget,
)
from api.captions.saving import Change, save
from api.captions.service import announce, learn
from api.captions.tracks import find_tracks, track_to_change
from api.db.engine import Database
from api.files.models import File
from api.http.errors import ApiError, Invalid
from pipelines.captions.bulk import BulkChange, LineChange, change_lines
from pipelines.captions.edit import EditRefused, EditResult
from pipelines.captions.limits import BULK_LINES_MAX, LINE_CHARS_MAX
from pipelines.captions.lines import CaptionLine
from pipelines.captions.links import confirmed
from pipelines.captions.search import BadPattern, Replacement, SearchTerms

LINES_READ_MAX = 100_000
"""Lines that one preview reads: the captions of about 80 hours. Matching them takes about 0.2 s."""
EXAMPLES_MAX = 3
LABEL = "Replace “{query}”"
TOO_LONG = "Some lines would have more than {limit:,} characters after this. Use a shorter replacement."
TOO_MANY = "More than {limit:,} lines would change. Replace in a part of the file, in its editor."


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


async def apply(database: Database, viewer: Viewer, body: ReplaceIn) -> list[Replaced]:
    """Replace in the chosen tracks, each as one revision of its own, which undo takes back. What fails says why."""
    replacement = _replacement(body)
    done: list[Replaced] = []
    for target in body.targets:
        try:
            async with database.write() as session:
                matches, lines, revision = await _replace(session, viewer, target, body.query, replacement)
        except ApiError as error:
            done.append(Replaced(**target.model_dump(), matches=0, lines=0, revision=None, error=error.message))
        else:
            done.append(Replaced(**target.model_dump(), matches=matches, lines=lines, revision=revision, error=None))
    return done


async def _replace(
    session: AsyncSession, viewer: Viewer, target: ReplaceTarget, query: str, replacement: Replacement
) -> tuple[int, int, int]:
    tracks = await find_tracks(session, viewer, target.slug, hold=True)
    track = await track_to_change(session, tracks.exactly(target.language))
    lines = await all_lines(session, track)
    result, matches = await asyncio.to_thread(_result, lines, replacement)
    if is_linked(track):
        result = await _confirmed(session, result)
    label = LABEL.format(query=query[:100])
    change: Change = await save(session, viewer, track, "Change", result, label=label)
    await learn(session, tracks.file, track, change)
    await announce(session, tracks.file, change)
    return matches, len(result.after), change.revision


async def _confirmed(session: AsyncSession, result: EditResult) -> EditResult:
    """A person's text of a translated line is right for the newest text of its source."""
    now = await texts_now(session, result.after)
    after = (line if line.link is None else replace(line, link=confirmed(line.link, now)) for line in result.after)
    return EditResult(result.before, tuple(after))


def _result(lines: Sequence[CaptionLine], replacement: Replacement) -> tuple[EditResult, int]:
    texts = [(line, *replacement.of(line.text)) for line in lines if not line.locked]
    found = [(line, text) for line, text, count in texts if count and text != line.text]
    if len(found) > BULK_LINES_MAX:
        raise EditFailed(TOO_MANY.format(limit=BULK_LINES_MAX))
    if any(len(text) > LINE_CHARS_MAX for _, text in found):
        raise EditFailed(TOO_LONG.format(limit=LINE_CHARS_MAX))
    try:
        result = change_lines(lines, BulkChange([LineChange(line.id, text) for line, text in found]))
    except EditRefused as refused:
        raise EditFailed(str(refused)) from refused
    return result, sum(count for _, _, count in texts)


def _replacement(body: ReplaceQuery | ReplaceIn) -> Replacement:
    terms = SearchTerms(body.query, body.match_case, body.whole_word, body.is_pattern)
    try:
        return Replacement(terms, body.replacement)
    except BadPattern as error:
        raise Invalid.field("query", str(error)) from error


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
