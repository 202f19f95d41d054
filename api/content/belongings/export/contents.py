"""What a copy of a person's or team's data holds. Each part is read by itself: a slow download holds no transaction."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import select

from api.content.ai_texts.models import AiText
from api.content.ai_texts.queries import of_file as texts_of_file
from api.content.ai_texts.rendering import download_of
from api.content.ai_texts.schemas import DocumentFormat
from api.content.ai_texts.versions import version_of
from api.content.belongings.export.own_terms import glossary, quality_profiles, styles, tags, words
from api.content.belongings.export.review_links import review_links
from api.content.captions.models import CaptionTrack
from api.content.captions.notes.models import CaptionNote
from api.content.captions.reading import all_lines
from api.content.captions.speakers import names_of
from api.content.captions.tracks import tracks_of
from api.content.files.models import File
from api.people.account.export.json_parts import PAGE, json_list, whole
from api.people.account.export.person import account_log, keys, profile, webhooks
from api.people.account.export.scope import OfPerson, OfTeam, Scope
from api.people.account.export.team import team_facts
from api.platform.db.engine import Database
from api.platform.http.downloads.names import safe_name
from api.platform.http.downloads.zip_stream import Entry
from pipelines.captions.forms.form import Document
from pipelines.captions.forms.json_file import write_json
from pipelines.captions.reading.srt import format_srt

OF_ACCOUNT = """This is a copy of what your Sagascript account holds.

profile.json      your account, your teams, the browsers in which you are signed in and your settings of the editor
"""
OF_TEAM = """This is a copy of what your team has in Sagascript.

team.json         the team, its rules and its members
"""
SHARED = """files.json        the files, those in the bin too; download the media themselves on the page of each file
captions/         the captions of each file in each language, as SubRip (.srt) and with every word's time (.json)
ai-texts/         the texts written from the captions, as Markdown
notes.json        what was written about caption lines
review-links.json links with which others review captions, and who opened them
tags.json         the tags and the files that have them
glossary.csv      the terms
words.json        the words the spelling check was told, and the words that were corrected
styles.json       the caption styles
profiles.json     the quality profiles
webhooks.json     the webhooks, without their secrets
account-log.json  what happened, the newest first
"""
KEYS = """api-keys.json     your API keys, without their secrets
"""


async def of_account(database: Database, user_id: uuid.UUID) -> AsyncIterator[Entry]:
    """The parts of one person's copy."""
    yield Entry("README.txt", whole(f"{OF_ACCOUNT}{SHARED}{KEYS}".encode()))
    yield Entry("profile.json", whole(await profile(database, user_id)))
    yield Entry("api-keys.json", whole(await keys(database, user_id)))
    async for entry in _shared(database, OfPerson(user_id)):
        yield entry


async def of_whole_team(database: Database, team_id: uuid.UUID) -> AsyncIterator[Entry]:
    """The parts of a team's copy."""
    yield Entry("README.txt", whole(f"{OF_TEAM}{SHARED}".encode()))
    yield Entry("team.json", whole(await team_facts(database, team_id)))
    async for entry in _shared(database, OfTeam(team_id)):
        yield entry


async def _shared(database: Database, scope: Scope) -> AsyncIterator[Entry]:
    yield Entry("files.json", json_list(_files(database, scope)))
    yield Entry("tags.json", whole(await tags(database, scope)))
    yield Entry("notes.json", json_list(_notes(database, scope)))
    yield Entry("review-links.json", whole(await review_links(database, scope)))
    yield Entry("glossary.csv", whole(await glossary(database, scope)))
    yield Entry("words.json", whole(await words(database, scope)))
    yield Entry("styles.json", whole(await styles(database, scope)))
    yield Entry("profiles.json", whole(await quality_profiles(database, scope)))
    yield Entry("webhooks.json", whole(await webhooks(database, scope)))
    yield Entry("account-log.json", json_list(account_log(database, scope)))
    async for file_id in _file_ids(database, scope):
        async for entry in _of_file(database, file_id):
            yield entry


async def _of_file(database: Database, file_id: uuid.UUID) -> AsyncIterator[Entry]:
    async with database.read() as session:
        file = await session.get(File, file_id)
        if file is None:
            return
        tracks = (await tracks_of(session, file)).tracks
        texts = [text for text in await texts_of_file(session, file) if text.version]
    folder = f"{safe_name(file.name)} ({file.slug})"
    for track in tracks:
        srt, with_words = await _captions(database, file, track)
        yield Entry(f"captions/{folder}/{track.language}.srt", whole(srt))
        yield Entry(f"captions/{folder}/{track.language}.json", whole(with_words))
    for text in texts:
        yield Entry(f"ai-texts/{folder}/{text.type} {text.language}.md", whole(await _ai_text(database, file, text)))


async def _captions(database: Database, file: File, track: CaptionTrack) -> tuple[bytes, bytes]:
    async with database.read() as session:
        lines = await all_lines(session, track)
        names = await names_of(session, file.id)
    srt = await asyncio.to_thread(format_srt, lines)
    return srt.encode(), await asyncio.to_thread(write_json, Document(lines, track.language, names))


async def _ai_text(database: Database, file: File, text: AiText) -> bytes:
    async with database.read() as session:
        version = await version_of(session, text, text.version)
    return await download_of(file, text, version, DocumentFormat.MARKDOWN)


async def _file_ids(database: Database, scope: Scope) -> AsyncIterator[uuid.UUID]:
    last = uuid.UUID(int=0)
    while True:
        statement = select(File.id).where(scope.owned(File), File.id > last).order_by(File.id).limit(PAGE)
        async with database.read() as session:
            ids = (await session.scalars(statement)).all()
        for file_id in ids:
            yield file_id
        if len(ids) < PAGE:
            return
        last = ids[-1]


async def _files(database: Database, scope: Scope) -> AsyncIterator[Any]:
    async for file_id in _file_ids(database, scope):
        async with database.read() as session:
            file = await session.get(File, file_id)
        if file is not None:
            yield {
                "slug": file.slug,
                "name": file.name,
                "filename": file.filename,
                "kind": file.kind,
                "status": file.status,
                "language": file.language,
                "duration_ms": file.duration_ms,
                "size_bytes": file.size_bytes,
                "team_id": file.team_id,
                "created_at": file.created_at,
                "deleted_at": file.deleted_at,
            }


async def _notes(database: Database, scope: Scope) -> AsyncIterator[Any]:
    last = uuid.UUID(int=0)
    while True:
        statement = (
            select(CaptionNote, File.slug, CaptionTrack.language)
            .join(CaptionTrack, CaptionTrack.id == CaptionNote.track_id)
            .join(File, File.id == CaptionTrack.file_id)
            .where(scope.on_files(CaptionNote, File), CaptionNote.as_support.is_(False), CaptionNote.id > last)
            .order_by(CaptionNote.id)
            .limit(PAGE)
        )
        async with database.read() as session:
            rows = (await session.execute(statement)).tuples().all()
        for note, slug, language in rows:
            yield {
                "file": slug,
                "language": language,
                "line": note.line_text,
                "start_ms": note.start_ms,
                "text": note.text,
                "created_at": note.created_at,
                "edited_at": note.edited_at,
                "resolved_at": note.resolved_at,
            }
        if len(rows) < PAGE:
            return
        last = rows[-1][0].id
