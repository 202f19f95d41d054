"""Voices known across the files of a team: learned from names that people gave, suggested, and forgotten."""

from __future__ import annotations

import asyncio
import base64
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions.models import Speaker
from api.content.files.models import File
from api.content.speakers.voices.models import SpeakerVoice
from api.content.speakers.voices.schemas import KnownVoiceOut, KnownVoicesOut
from api.people.access.owned import EDITORS, TEAM_OWNERS
from api.people.audit.actions import AuditAction
from api.people.auth.viewer import Viewer
from api.people.membership.announcement import announce, record_in
from api.people.membership.held_team import TEAM_NOT_FOUND, HeldTeam, hold
from api.people.teams.models import Team
from api.people.users.teams import knows_voices
from api.platform.db.expressions import in_list
from api.platform.http.errors import NotFound
from cluster.wording.message import Message
from pipelines.messages.speakers import SpeakersResult
from pipelines.speakers.voices import KnownVoice, Likeness, known_voices, sounds_like

NO_SUCH_VOICE = Message("voices.no_such_voice", "No voice is known under this name. Somebody may have forgotten it.")
KNOWN_MAX = 2_000
"""Voices that one is compared with, the newest first: 1 MB."""
_BATCH = 2_000

_IS_SAME_SPEAKER = and_(
    Speaker.file_id == SpeakerVoice.file_id,
    Speaker.label == SpeakerVoice.label,
    Speaker.sample_start_ms.is_not_distinct_from(SpeakerVoice.sample_start_ms),
    Speaker.sample_end_ms.is_not_distinct_from(SpeakerVoice.sample_end_ms),
)
"""Whether the speaker is still the one whose voice it was."""


async def keep_voices(session: AsyncSession, file: File, labels: Mapping[str, str], result: SpeakersResult) -> None:
    """Keep how the speakers of a detection sound, in place of what an earlier one said. `labels`: result to file."""
    await forget_files(session, [file.id])
    if not await knows_voices(session, file.team_id):
        return
    samples = {sample.speaker: sample for sample in result.samples}
    for voice in result.voices:
        sample = samples.get(voice.speaker)
        row = SpeakerVoice(
            file_id=file.id,
            label=labels[voice.speaker],
            model=voice.model,
            embedding=base64.b64decode(voice.embedding),
            spoken_ms=voice.spoken_ms,
            sample_start_ms=sample.start_ms if sample else None,
            sample_end_ms=sample.end_ms if sample else None,
        )
        session.add(row)


async def suggestions(session: AsyncSession, file: File, speakers: Sequence[Speaker]) -> Mapping[str, Likeness]:
    """Whom the speakers without a name sound like, by label."""
    if file.team_id is None or all(speaker.name for speaker in speakers):
        return {}
    if not await knows_voices(session, file.team_id):
        return {}
    statement = (
        select(SpeakerVoice.label, SpeakerVoice.model, SpeakerVoice.embedding, SpeakerVoice.spoken_ms)
        .join(Speaker, _IS_SAME_SPEAKER)
        .where(SpeakerVoice.file_id == file.id, Speaker.name.is_(None), SpeakerVoice.is_dismissed.is_(False))
    )
    rows = (await session.execute(statement)).all()
    if not rows:
        return {}
    # One detection made them all.
    model = rows[0].model
    named = await _named(session, file.team_id, SpeakerVoice.model == model, SpeakerVoice.file_id != file.id)
    taken = {speaker.name.casefold() for speaker in speakers if speaker.name}
    known = [KnownVoice(name, row.embedding, row.spoken_ms) for name, row in named if name.casefold() not in taken]
    voices = {row.label: (row.embedding, row.spoken_ms) for row in rows}
    return await asyncio.to_thread(known_voices, voices, known)


async def dismiss(session: AsyncSession, file: File, label: str) -> None:
    """The speaker is somebody else: suggest nobody for it any more."""
    mine = (SpeakerVoice.file_id == file.id, SpeakerVoice.label == label)
    await session.execute(update(SpeakerVoice).where(*mine).values(is_dismissed=True))


async def listed(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID) -> KnownVoicesOut:
    """The voices that a team knows, by name."""
    role = viewer.teams.get(team_id)
    team = await session.get(Team, team_id)
    if role is None or team is None or not team.is_active:
        raise NotFound(TEAM_NOT_FOUND)
    statement = (
        select(
            Speaker.name,
            func.count(SpeakerVoice.file_id.distinct()),
            func.sum(SpeakerVoice.spoken_ms),
            func.max(SpeakerVoice.created_at),
        )
        .join(Speaker, _IS_SAME_SPEAKER)
        .join(File, File.id == SpeakerVoice.file_id)
        .where(File.team_id == team_id, File.deleted_at.is_(None), Speaker.name.is_not(None))
        .group_by(Speaker.name)
        .order_by(func.max(SpeakerVoice.created_at).desc())
    )
    by_name: dict[str, KnownVoiceOut] = {}
    for name, files, spoken_ms, learned_at in (await session.execute(statement)).tuples():
        assert name is not None
        one = KnownVoiceOut(name=name, files=files, spoken_ms=int(spoken_ms), learned_at=learned_at)
        other = by_name.get(name.casefold())
        by_name[name.casefold()] = one if other is None else _together(other, one)
    voices = [voice for _, voice in sorted(by_name.items())]
    return KnownVoicesOut(
        is_on=team.knows_voices, may_switch=role in TEAM_OWNERS, may_forget=role in EDITORS, voices=voices
    )


async def switch(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID, *, is_on: bool) -> None:
    """Let the team know voices, or forget all of them."""
    held = await hold(session, viewer, team_id)
    if held.team.knows_voices == is_on:
        return
    held.team.knows_voices = is_on
    if not is_on:
        await _forget(session, [row.id for row in await _voices(session, team_id)])
    _record(session, viewer, held, before={"knows_voices": not is_on}, after={"knows_voices": is_on})


async def forget(session: AsyncSession, viewer: Viewer, team_id: uuid.UUID, name: str) -> None:
    """Remove a voice from every file of the team, also where it was detected and nobody named it."""
    held = await hold(session, viewer, team_id, roles=EDITORS)
    rows = await _voices(session, team_id)
    gone = {row.id for row in rows if row.name is not None and row.name.casefold() == name.casefold()}
    if not gone:
        raise NotFound(NO_SUCH_VOICE)
    gone |= await asyncio.to_thread(_alike, rows, gone)
    await _forget(session, sorted(gone))
    _record(session, viewer, held, forgotten=name)


async def forget_files(session: AsyncSession, file_ids: Sequence[uuid.UUID]) -> None:
    """Remove the voices of these files."""
    for start in range(0, len(file_ids), _BATCH):
        batch = in_list(session, SpeakerVoice.file_id, file_ids[start : start + _BATCH])
        await session.execute(delete(SpeakerVoice).where(batch).execution_options(synchronize_session=False))


def _record(session: AsyncSession, viewer: Viewer, held: HeldTeam, **details: Any) -> None:
    record_in(session, viewer, AuditAction.TEAM_CHANGED, held.team, fields=["knows_voices"], **details)
    announce(session, held.team, held.members)


def _together(newer: KnownVoiceOut, older: KnownVoiceOut) -> KnownVoiceOut:
    """Two spellings of one name: the newer stays. A file has only one of them."""
    both = {"files": newer.files + older.files, "spoken_ms": newer.spoken_ms + older.spoken_ms}
    return newer.model_copy(update=both)


async def _named(
    session: AsyncSession, team_id: uuid.UUID, *which: ColumnElement[bool]
) -> list[tuple[str, Row[*tuple[Any, ...]]]]:
    """The newest voices of a team that people named, outside the bin, with the spelling of the newest for each name."""
    statement: Select[*tuple[Any, ...]] = (
        select(
            SpeakerVoice.id,
            SpeakerVoice.file_id,
            SpeakerVoice.model,
            SpeakerVoice.embedding,
            SpeakerVoice.spoken_ms,
            SpeakerVoice.created_at,
            Speaker.name,
        )
        .join(Speaker, _IS_SAME_SPEAKER)
        .join(File, File.id == SpeakerVoice.file_id)
        .where(File.team_id == team_id, File.deleted_at.is_(None), Speaker.name.is_not(None), *which)
        .order_by(SpeakerVoice.created_at.desc(), SpeakerVoice.id)
        .limit(KNOWN_MAX)
    )
    spelling: dict[str, str] = {}
    rows = (await session.execute(statement)).all()
    return [(spelling.setdefault(row.name.casefold(), row.name), row) for row in rows]


async def _voices(session: AsyncSession, team_id: uuid.UUID) -> Sequence[Row[*tuple[Any, ...]]]:
    """Every voice of a team, in the bin too."""
    statement: Select[*tuple[Any, ...]] = (
        select(SpeakerVoice.id, SpeakerVoice.model, SpeakerVoice.embedding, SpeakerVoice.spoken_ms, Speaker.name)
        .join(File, File.id == SpeakerVoice.file_id)
        .outerjoin(Speaker, _IS_SAME_SPEAKER)
        .where(File.team_id == team_id)
    )
    return (await session.execute(statement)).all()


def _alike(rows: Sequence[Row[*tuple[Any, ...]]], gone: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Voices without a name that sound like one of those."""
    found: set[uuid.UUID] = set()
    for model in {row.model for row in rows if row.id in gone}:
        own = [(row.embedding, row.spoken_ms) for row in rows if row.id in gone and row.model == model]
        others = [row for row in rows if row.model == model and row.name is None]
        likes = sounds_like([row.embedding for row in others], own)
        found |= {row.id for row, like in zip(others, likes, strict=True) if like}
    return found


async def _forget(session: AsyncSession, ids: Sequence[uuid.UUID]) -> None:
    for start in range(0, len(ids), _BATCH):
        batch = in_list(session, SpeakerVoice.id, ids[start : start + _BATCH])
        await session.execute(delete(SpeakerVoice).where(batch).execution_options(synchronize_session=False))
