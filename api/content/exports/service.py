"""Start, stop and remove exports."""

from __future__ import annotations

import asyncio
import hashlib
import json
import uuid
from collections.abc import Mapping, Set
from datetime import datetime

from sqlalchemy import exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from api.content.captions import loading
from api.content.captions.loading import Captions
from api.content.captions.speakers import names_of
from api.content.captions.tracks import tracks_of
from api.content.exports import queries
from api.content.exports.errors import MissingGlyphs
from api.content.exports.forms import form_of, languages_of, options_of, settings_of
from api.content.exports.models import Export, ExportMode, ExportStatus
from api.content.exports.schemas import CaptionsChoice, ExportOptions, ExportRequest
from api.content.files import queries as files
from api.content.files.models import File, FileStatus
from api.content.quality.checks import require_clean
from api.content.styles.service import frozen_style
from api.people.access.audience import notice_of
from api.people.auth.viewer import Viewer
from api.people.ledger.metering import reserve_for
from api.people.plans.payer import priority_of
from api.platform.db.engine import Database
from api.platform.db.reread import reread
from api.platform.http.errors import Conflict, Invalid
from api.platform.jobs import service as jobs
from api.platform.jobs.attempts.cleanup import remove_later
from api.platform.jobs.job_type import JobTypes
from api.platform.jobs.outbox import add_event
from api.platform.jobs.queue import enqueue
from api.platform.jobs.states import JobKind
from api.platform.realtime.events import child_of, event
from api.platform.realtime.messages import Action, PollingMessage, Topic
from api.platform.realtime.notices import Notice
from cluster.wording.message import Message
from pipelines.captions.fonts.fontconfig import drawable
from pipelines.captions.fonts.glyphs import unbundled_characters
from pipelines.captions.json_form import line_from_json, line_to_json
from pipelines.captions.texts.speaker_names import with_speakers
from pipelines.languages import language_label
from pipelines.messages import requests as flow_requests
from pipelines.messages.caption_style import DEFAULT_STYLE
from pipelines.messages.results import parts_folder

FORGOTTEN_AT_ONCE = 500
_FORM = 3
"""Raise it when exports of an earlier version must not stand for those of this one."""
STILL_LISTENING = Message(
    "exports.still_listening", "The transcription is still running. Export the video when it has finished."
)
STILL_RECORDING = Message(
    "exports.still_recording",
    "This is still being recorded. Its captions can be downloaded now; export it when the recording has ended.",
)
NO_CAPTIONS = Message("exports.no_captions", "There are no captions to export yet. Add a line first.")
NO_SUCH_LANGUAGE = Message(
    "exports.no_such_language",
    "There are no captions in this language. Translate them first, or choose another language.",
)


def message(
    file: File, export: Export, action: Action, *, progress: int = 0, reason: str | None = None
) -> PollingMessage:
    """The event of an export."""
    return event(
        Topic.EXPORT,
        action,
        slug=file.slug,
        name=file.name,
        child=child_of(export.language),
        language=language_label(export.language),
        progress=progress,
        reason=reason,
    )


async def notice(
    session: AsyncSession, file: File, export: Export, action: Action, *, progress: int = 0, reason: str | None = None
) -> Notice:
    """The event with its audience: everyone who may see the file, including the colleague who exports it."""
    return await notice_of(session, file, message(file, export, action, progress=progress, reason=reason))


async def submit(database: Database, viewer: Viewer, key: str, request: ExportRequest) -> tuple[File, Export]:
    """Queue an export of the captions as they are now, in transactions of its own.

    Raises `OpenFindings` when captions must be without findings and are not, and `MissingGlyphs` when a burn-in would
    draw boxes and the person has not accepted that.
    """
    if request.require_clean and request.mode is not ExportMode.AUDIO:
        async with database.read() as session:
            await _check_quality(session, viewer, key, request)
    drawn: set[str] = set()
    while True:
        try:
            async with database.write() as session:
                return await start(session, viewer, key, request, drawn=drawn)
        except _FontsUnread as search:
            unread = search
        # Outside the transaction: reading the bundled fonts takes 0.1 s, searching those of a machine up to a second.
        foreign = await asyncio.to_thread(unbundled_characters, unread.characters, unread.family)
        _BUNDLED.setdefault(unread.family, set()).update(unread.characters - foreign)
        if foreign and (missing := foreign - await asyncio.to_thread(drawable, foreign)):
            raise MissingGlyphs(sorted(missing))
        drawn |= foreign


_BUNDLED: dict[str, set[str]] = {}
"""By family, characters that a bundled font draws or that are never drawn. Those fonts come with the program."""


class _FontsUnread(Exception):
    """Whether a font of this family, or another one, draws these characters is not known yet."""

    def __init__(self, characters: set[str], family: str) -> None:
        self.characters, self.family = characters, family
        super().__init__()


async def _check_quality(session: AsyncSession, viewer: Viewer, key: str, request: ExportRequest) -> None:
    every = await tracks_of(session, await files.find(session, viewer, key))
    for language in languages_of(request):
        track = every.exactly(language).track
        if track is not None:
            await require_clean(session, viewer, track)


async def start(
    session: AsyncSession, viewer: Viewer, key: str, request: ExportRequest, *, drawn: Set[str] = frozenset()
) -> tuple[File, Export]:
    """Queue an export of the captions as they are now. What would show the same is made once.

    Fonts of this machine draw the characters of `drawn`.
    """
    # On a double click, the second request waits here and then finds the export of the first.
    file = await files.find(session, viewer, key, hold=True)
    form = form_of(file, request)
    tracks = [] if request.mode is ExportMode.AUDIO else await _tracks(session, file, languages_of(request))
    settings = settings_of(request)
    is_drawn = request.mode is ExportMode.BURNED
    style = await frozen_style(session, file, request.style_id) if is_drawn else DEFAULT_STYLE
    if is_drawn and not request.accept_boxes:
        characters = set().union(*(line.text for line in tracks[0].texts))
        if unread := characters - _BUNDLED.get(style.font, set()) - drawn:
            raise _FontsUnread(unread, style.font)
    # A translation that was deleted and made again has the same language, and perhaps the same revision.
    shown = [[str(track.id), track.language, track.revision] for track in tracks]
    # Where boxes were accepted, the fonts of the machine may have the characters by now.
    form_key = _digest(
        [_FORM, request.mode, request.speakers, settings, style.to_json(), shown, is_drawn and request.accept_boxes]
    )
    existing = await queries.same(session, file.id, form_key, speakers=request.speakers)
    if existing is not None:
        return file, existing
    main = tracks[0] if tracks else None
    export = Export(
        id=uuid.uuid4(),
        file_id=file.id,
        track_id=main.id if main else None,
        user_id=viewer.user_id,
        language=main.language if main else file.language,
        mode=request.mode,
        speakers=request.speakers,
        revision=main.revision if main else 0,
        form=settings,
        form_key=form_key,
        status=ExportStatus.SUBMITTED,
    )
    session.add(export)
    names = await names_of(session, file.id)
    add_event(session, await notice(session, file, export, Action.DISPATCHED))
    job = await enqueue(
        session,
        kind=JobKind.EXPORT,
        subject_id=export.id,
        file_id=file.id,
        user_id=viewer.user_id,
        priority=await priority_of(session, viewer.user_id, file.team_id),
        dedup_key=f"export:{export.id}",
        request=flow_requests.ExportRequest(
            file_id=str(file.id),
            source_key=file.original_key,
            tracks=tuple(_track(track, names, request) for track in tracks),
            form=form,
            style=style,
            language=export.language,
            mode=request.mode,
            accept_boxes=request.accept_boxes,
            facts=file.facts,
            kind=file.kind,
            width=file.width,
            height=file.height,
            duration_ms=file.duration_ms or 0,
        ),
        work=form.clip.duration_ms if form.clip else file.duration_ms or 0,
    )
    await reserve_for(session, job, file, duration_ms=file.duration_ms)
    return file, export


def _track(track: Captions, names: Mapping[str, str], request: ExportRequest) -> flow_requests.ExportTrack:
    # Only a drawn picture needs the words: reading them costs ten times as much.
    is_drawn = request.mode is ExportMode.BURNED
    lines = [line_from_json(each) for each in track.values] if is_drawn else track.texts
    shown = [line_to_json(line) for line in with_speakers(lines, names, request.speakers)]
    return flow_requests.ExportTrack(language=track.language, lines=shown)


async def _tracks(session: AsyncSession, file: File, languages: list[str]) -> list[Captions]:
    if file.status == FileStatus.LIVE:
        raise Conflict(STILL_RECORDING)
    every = await tracks_of(session, file)
    found = []
    for number, language in enumerate(languages):
        track = await loading.of_track(session, every.exactly(language))
        if track.is_live:
            raise Conflict(STILL_LISTENING)
        if not track.texts:
            raise Conflict(NO_CAPTIONS)
        if language != track.language:
            raise Invalid.field("languages" if number else "language", NO_SUCH_LANGUAGE)
        found.append(track)
    return found


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


async def options(session: AsyncSession, viewer: Viewer, key: str) -> ExportOptions:
    """What can be chosen for a file the viewer may see."""
    file = await files.find(session, viewer, key)
    every = await tracks_of(session, file)
    choices = [CaptionsChoice(language=each.language, label=language_label(each.language)) for each in every.tracks]
    return options_of(file).model_copy(update={"captions": choices})


async def remove(session: AsyncSession, types: JobTypes, viewer: Viewer, key: str, export_id: uuid.UUID) -> None:
    """Stop a running export, or remove a finished one with its video and, after the last one, the stored parts."""
    file = await files.find(session, viewer, key)
    export = await queries.find(session, file, export_id)
    await jobs.cancel(session, types, jobs.of_subject(export.id, JobKind.EXPORT))
    if await reread(session, export) is None:
        return
    await session.delete(export)
    await session.flush()
    remove_later(
        session,
        keys=[export.export_key] if export.export_key is not None else [],
        prefixes=[] if await queries.keeps_parts(session, file.id) else [parts_folder(file.id)],
    )


async def forget_parts(database: Database, before: datetime) -> int:
    """Delete stored parts of files that nobody has exported since. Returns of how many files."""
    newer = aliased(Export)
    is_used = exists().where(
        newer.file_id == Export.file_id,
        or_(newer.created_at >= before, newer.status.in_(queries.UNFINISHED)),
    )
    async with database.write() as session:
        old = (
            select(Export.file_id).where(Export.keeps_parts.is_(True), Export.created_at < before, ~is_used).distinct()
        )
        found = (await session.scalars(old.limit(FORGOTTEN_AT_ONCE))).all()
        for file_id in found:
            await session.execute(update(Export).where(Export.file_id == file_id).values(keeps_parts=False))
            remove_later(session, prefixes=[parts_folder(file_id)])
    return len(found)
