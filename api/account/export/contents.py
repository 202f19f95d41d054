"""What a copy of one's data holds. Each part is read by itself, so that a slow download holds no transaction."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterable
from typing import Any

from sqlalchemy import select

from api.access.rules import added_by
from api.account.models import EditorSettingsRow
from api.ai_texts.models import AiText
from api.ai_texts.queries import of_file as texts_of_file
from api.ai_texts.rendering import download_of
from api.ai_texts.schemas import DocumentFormat
from api.ai_texts.versions import version_of
from api.api_keys import queries as api_keys
from api.audit.queries import LogFilter, log_statement
from api.audit.sentences import sentence
from api.auth import sessions
from api.captions.models import CaptionTrack
from api.captions.reading import all_lines
from api.captions.speakers import names_of
from api.captions.tracks import tracks_of
from api.db.engine import Database
from api.files.models import File
from api.glossary.csv_form import format_csv
from api.glossary.models import GlossaryTermRow, KnownWordRow, WordCorrectionRow
from api.http.archive_names import safe_name
from api.http.zip_stream import Entry
from api.plans.queries import plan_of
from api.quality.models import QualityProfileRow
from api.styles.models import CaptionStyleRow
from api.tags.models import FileTag, Tag
from api.users.models import User
from api.users.teams import teams_of_user
from api.webhooks.models import WebhookEndpoint
from pipelines.captions.forms.form import Document
from pipelines.captions.forms.json_file import write_json
from pipelines.captions.srt import format_srt

PAGE = 200
README = """This is a copy of what your Sagascript account holds.

profile.json      your account, your teams, the browsers in which you are signed in and your settings of the editor
files.json        your files, those in the bin too; download the media themselves on the page of each file
captions/         the captions of each file in each language, as SubRip (.srt) and with every word's time (.json)
ai-texts/         the texts written from your captions, as Markdown
tags.json         your tags and the files that have them
glossary.csv      your terms
words.json        the words you told the spelling check, and the words you corrected
styles.json       your caption styles
profiles.json     your quality profiles
api-keys.json     your API keys, without their secrets
webhooks.json     your webhooks, without their secrets
account-log.json  what happened to your account
"""


async def contents(database: Database, user_id: uuid.UUID) -> AsyncIterator[Entry]:
    yield Entry("README.txt", _whole(README.encode()))
    yield Entry("profile.json", _whole(await _profile(database, user_id)))
    yield Entry("files.json", _json_list(_files(database, user_id)))
    yield Entry("tags.json", _whole(await _tags(database, user_id)))
    yield Entry("glossary.csv", _whole(await _glossary(database, user_id)))
    yield Entry("words.json", _whole(await _words(database, user_id)))
    yield Entry("styles.json", _whole(await _styles(database, user_id)))
    yield Entry("profiles.json", _whole(await _quality_profiles(database, user_id)))
    yield Entry("api-keys.json", _whole(await _api_keys(database, user_id)))
    yield Entry("webhooks.json", _whole(await _webhooks(database, user_id)))
    yield Entry("account-log.json", _json_list(_log(database, user_id)))
    async for file_id in _file_ids(database, user_id):
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
        srt, whole = await _captions(database, file, track)
        yield Entry(f"captions/{folder}/{track.language}.srt", _whole(srt))
        yield Entry(f"captions/{folder}/{track.language}.json", _whole(whole))
    for text in texts:
        yield Entry(f"ai-texts/{folder}/{text.type} {text.language}.md", _whole(await _ai_text(database, file, text)))


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


async def _profile(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        user = await session.get_one(User, user_id)
        teams = await teams_of_user(session, user_id)
        browsers = await sessions.open_of(session, user_id)
        plan = await plan_of(session, user_id)
        editor = await session.get(EditorSettingsRow, user_id)
    return _json(
        {
            "id": user.id,
            "name": user.name,
            "email": user.email,
            "email_verified_at": user.email_verified_at,
            "pending_email": user.pending_email,
            "locale": user.locale,
            "created_at": user.created_at,
            "is_admin": user.is_admin,
            "plan": plan,
            "editor": {} if editor is None else editor.settings,
            "teams": [{"id": each.team.id, "name": each.team.name, "role": each.role} for each in teams],
            "browsers": [
                {
                    "user_agent": browser.user_agent,
                    "network": browser.network,
                    "created_at": browser.created_at,
                    "last_used_at": browser.last_used_at,
                }
                for browser in browsers
            ],
        }
    )


async def _file_ids(database: Database, user_id: uuid.UUID) -> AsyncIterator[uuid.UUID]:
    last = uuid.UUID(int=0)
    while True:
        statement = select(File.id).where(added_by(user_id, File), File.id > last).order_by(File.id).limit(PAGE)
        async with database.read() as session:
            ids = (await session.scalars(statement)).all()
        for file_id in ids:
            yield file_id
        if len(ids) < PAGE:
            return
        last = ids[-1]


async def _files(database: Database, user_id: uuid.UUID) -> AsyncIterator[Any]:
    async for file_id in _file_ids(database, user_id):
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


async def _tags(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        tags = (await session.scalars(select(Tag).where(added_by(user_id, Tag)).order_by(Tag.name))).all()
        statement = (
            select(FileTag.tag_id, File.slug)
            .join(File, File.id == FileTag.file_id)
            .where(FileTag.tag_id.in_([tag.id for tag in tags]))
        )
        slugs: dict[uuid.UUID, list[str]] = {}
        for tag_id, slug in (await session.execute(statement)).tuples():
            slugs.setdefault(tag_id, []).append(slug)
    return _json(
        [
            {"name": tag.name, "colour": tag.colour, "team_id": tag.team_id, "files": slugs.get(tag.id, [])}
            for tag in tags
        ]
    )


async def _words(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        known = await session.scalars(
            select(KnownWordRow).where(added_by(user_id, KnownWordRow)).order_by(KnownWordRow.word)
        )
        corrected = await session.scalars(
            select(WordCorrectionRow)
            .where(added_by(user_id, WordCorrectionRow))
            .order_by(WordCorrectionRow.created_at, WordCorrectionRow.id)
        )
        return _json(
            {
                "known": [{"word": row.word, "language": row.language} for row in known],
                "corrected": [
                    {"wrong": row.wrong, "right": row.right, "language": row.language, "at": row.created_at}
                    for row in corrected
                ],
            }
        )


async def _glossary(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        rows: Iterable[GlossaryTermRow] = await session.scalars(
            select(GlossaryTermRow).where(added_by(user_id, GlossaryTermRow)).order_by(GlossaryTermRow.source)
        )
        return format_csv(rows)


async def _styles(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        rows = await session.scalars(
            select(CaptionStyleRow).where(added_by(user_id, CaptionStyleRow)).order_by(CaptionStyleRow.name)
        )
        return _json([{"name": row.name, "team_id": row.team_id, "style": row.style} for row in rows])


async def _quality_profiles(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        rows = (await session.scalars(select(QualityProfileRow).where(added_by(user_id, QualityProfileRow)))).all()
    return _json([{"name": row.name, "team_id": row.team_id, "limits": row.limits} for row in rows])


async def _api_keys(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        keys = await api_keys.of_person(session, user_id)
    return _json(
        [
            {
                "name": key.name,
                "prefix": key.prefix,
                "scopes": key.scopes,
                "team_id": key.team_id,
                "created_at": key.created_at,
                "expires_at": key.expires_at,
                "last_used_at": key.last_used_at,
            }
            for key in keys
        ]
    )


async def _webhooks(database: Database, user_id: uuid.UUID) -> bytes:
    async with database.read() as session:
        rows = (await session.scalars(select(WebhookEndpoint).where(added_by(user_id, WebhookEndpoint)))).all()
    return _json(
        [
            {
                "name": row.name,
                "url": row.url,
                "events": row.events,
                "is_enabled": row.is_enabled,
                "team_id": row.team_id,
                "created_at": row.created_at,
            }
            for row in rows
        ]
    )


async def _log(database: Database, user_id: uuid.UUID) -> AsyncIterator[Any]:
    offset = 0
    while True:
        statement = log_statement(LogFilter(subject_id=user_id)).offset(offset).limit(PAGE)
        async with database.read() as session:
            rows = (await session.execute(statement)).tuples().all()
        for entry, actor, _, _, team in rows:
            yield {
                "at": entry.at,
                "action": entry.action,
                "sentence": sentence(entry.action, entry.details, entry.object_kind),
                "by": actor,
                "team": team,
                "network": entry.network if entry.actor_id == user_id else None,
            }
        if len(rows) < PAGE:
            return
        offset += PAGE


async def _whole(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def _json_list(values: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    before = b"["
    async for value in values:
        yield before + b"\n" + _json(value)
        before = b","
    yield b"[]\n" if before == b"[" else b"]\n"


def _json(value: Any) -> bytes:
    return json.dumps(value, default=str, ensure_ascii=False, indent=1).encode("utf-8", "replace") + b"\n"
