"""The tus records as database rows. Each changes in one transaction with the `Upload` that its owner sees."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urljoin

from sqlalchemy import BindParameter, ColumnElement, Row, Table, bindparam, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import TusUpload, Upload, UploadStatus
from api.content.arrivals.transitions import ARRIVING, UPLOAD_STATUS
from api.content.uploads import tokens
from api.content.uploads.names import clean_filename, clean_filetype
from api.content.uploads.storage import check_storage
from api.content.uploads.tus.concatenation import MAX_PARTS
from api.content.uploads.tus.errors import TusError
from api.content.uploads.tus.headers import parse_metadata
from api.content.uploads.tus.records import PARTIAL, Owner, TokenSpent, TooManyParts, TusRecord
from api.people.ledger.errors import StorageExceeded
from api.people.plans.payer import payer_of
from api.platform.capabilities.queries import capability_of
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from pipelines.language_choice import default_language
from pipelines.languages import AUTO, is_known

METADATA = "header"
"""Key of the `Upload-Metadata` header, stored as sent so that HEAD can return it."""


# The statements of each PATCH, built once and run without a session. ORM objects cost a third of an 8 MiB PATCH.
_TUS_UPLOADS, _UPLOADS = cast(Table, TusUpload.__table__), cast(Table, Upload.__table__)
_GET = select(_TUS_UPLOADS).where(_TUS_UPLOADS.c.id == bindparam("upload_id"))
_SHOW_OFFSET = (
    update(_UPLOADS)
    .where(_UPLOADS.c.tus_id == bindparam("upload_id"), _UPLOADS.c.status.in_(ARRIVING))
    .values(bytes_uploaded=bindparam("arrived"), updated_at=clock.now())
)


def is_live(upload_id: str | BindParameter[str]) -> ColumnElement[bool]:
    """The record, while it is neither complete nor ended. Guards every change."""
    return (TusUpload.id == upload_id) & TusUpload.completed_at.is_(None) & TusUpload.terminated_at.is_(None)


async def end(session: AsyncSession, upload_id: str) -> bool:
    """Mark the record ended, in the caller's transaction. False if it is complete or ended before."""
    statement = update(TusUpload).where(is_live(upload_id)).values(terminated_at=clock.now()).returning(TusUpload.id)
    return (await session.scalar(statement)) is not None


DETECT_SPEAKERS = "detect"
"""The value of the metadata `speakers` that asks for a detection after the transcription."""


class DatabaseRecords:
    """`Records` over the database."""

    def __init__(self, database: Database, settings: ApiSettings, *, expires_after: timedelta) -> None:
        self._database = database
        self._settings = settings
        self._set_offset = (
            update(_TUS_UPLOADS)
            .where(is_live(bindparam("upload_id")), _TUS_UPLOADS.c.offset == bindparam("known"))
            .values(
                offset=bindparam("arrived"),
                store_state=bindparam("state"),
                expires_at=clock.now(expires_after.total_seconds()),
            )
            .returning(_TUS_UPLOADS.c.id)
        )

    async def create(self, record: TusRecord) -> TusRecord:
        async with self._database.write() as session:
            if record.is_partial:
                await self._require_room_for_a_part(session, record.owner)
            elif not await tokens.spend(session, record.owner.token_hash):
                first = await self._first_of(session, record)
                if first is None or first.length != record.length:
                    raise TokenSpent
                return first
            else:
                await _require_storage(session, record)
                session.add(await self._upload(session, record))
                record = replace(record, object_key=f"uploads/{record.id}/original")
            session.add(
                TusUpload(
                    id=record.id,
                    user_id=record.owner.user_id,
                    team_id=record.owner.team_id,
                    length=record.length,
                    offset=0,
                    upload_metadata={METADATA: record.metadata},
                    token_hash=record.owner.token_hash,
                    concat=record.concat,
                    storage_key=record.object_key or None,
                    expires_at=record.expires_at,
                )
            )
        return record

    async def _require_room_for_a_part(self, session: AsyncSession, owner: Owner) -> None:
        if not await tokens.is_unspent(session, owner.token_hash):
            raise TokenSpent
        statement = select(func.count()).select_from(TusUpload).where(TusUpload.token_hash == owner.token_hash)
        if (await session.scalar(statement) or 0) >= MAX_PARTS:
            raise TooManyParts

    async def repeated(self, record: TusRecord) -> TusRecord | None:
        async with self._database.read() as session:
            return await self._first_of(session, record)

    async def _first_of(self, session: AsyncSession, record: TusRecord) -> TusRecord | None:
        statement = select(TusUpload).where(
            TusUpload.token_hash == record.owner.token_hash,
            TusUpload.terminated_at.is_(None),
            or_(TusUpload.concat.is_(None), TusUpload.concat != PARTIAL),
        )
        row = (await session.scalars(statement)).one_or_none()
        first = _record(row) if row is not None else None
        is_same = first is not None and (first.metadata, first.concat) == (record.metadata, record.concat)
        return first if is_same else None

    async def _upload(self, session: AsyncSession, record: TusRecord) -> Upload:
        values = parse_metadata(record.metadata)
        filetype = clean_filetype(values.get("filetype") or values.get("type") or "")
        language = values.get("language", "")
        if language != AUTO and not is_known(language):
            language = default_language((await capability_of(session)).loaded, self._settings.default_language)
        return Upload(
            id=uuid.uuid4(),
            user_id=record.owner.user_id,
            team_id=record.owner.team_id,
            tus_id=record.id,
            tus_url=urljoin(self._settings.uploads_endpoint, record.id),
            filename=clean_filename(values.get("filename") or values.get("name") or "", filetype),
            filetype=filetype,
            filesize=record.length,
            language=language,
            detects_speakers=values.get("speakers") == DETECT_SPEAKERS,
            status=UploadStatus.UPLOADING,
            updated_at=clock.now(),
        )

    async def get(self, upload_id: str) -> TusRecord | None:
        async with self._database.reading.connect() as connection:
            row = (await connection.execute(_GET, {"upload_id": upload_id})).one_or_none()
            return _record(row) if row is not None else None

    async def set_length(self, upload_id: str, length: int) -> None:
        async with self._database.write() as session:
            await session.execute(
                update(TusUpload).where(is_live(upload_id), TusUpload.length.is_(None)).values(length=length)
            )
            await session.execute(update(Upload).where(Upload.tus_id == upload_id).values(filesize=length))

    async def set_offset(self, upload_id: str, offset: int, state: dict[str, Any] | None, *, known: int) -> bool:
        arrived = {"upload_id": upload_id, "arrived": offset, "known": known, "state": state}
        async with self._database.engine.begin() as connection:
            if (await connection.scalar(self._set_offset, arrived)) is None:
                return False
            await connection.execute(_SHOW_OFFSET, {"upload_id": upload_id, "arrived": offset})
        return True

    async def terminate(self, upload_id: str) -> bool:
        async with self._database.write() as session:
            if not await end(session, upload_id):
                return False
            await session.execute(
                UPLOAD_STATUS.update_to(UploadStatus.CANCELLED)
                .where(Upload.tus_id == upload_id)
                .values(is_displayed=False)
            )
        return True


async def _require_storage(session: AsyncSession, record: TusRecord) -> None:
    """Raise a `TusError` when the plan has no room for an upload of this length."""
    try:
        await check_storage(
            session, await payer_of(session, record.owner.user_id, record.owner.team_id), record.length or 0
        )
    except StorageExceeded as refused:
        raise TusError(refused.status_code, refused.message) from None


def _record(row: TusUpload | Row[*tuple[Any, ...]]) -> TusRecord:
    return TusRecord(
        id=row.id,
        owner=Owner(user_id=row.user_id, team_id=row.team_id, token_hash=row.token_hash or ""),
        length=row.length,
        offset=row.offset,
        metadata=str(row.upload_metadata.get(METADATA, "")),
        expires_at=row.expires_at,
        concat=row.concat,
        object_key=row.storage_key or "",
        state=row.store_state,
        completed=row.completed_at is not None,
        terminated=row.terminated_at is not None,
    )
