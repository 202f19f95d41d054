"""What the quality panel changes on a track: its profile, and where its lines are cut."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Sequence
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from api.content.captions import queries
from api.content.captions.actions import RECUT
from api.content.captions.after_change import announce
from api.content.captions.editing.following import linked_lines
from api.content.captions.editing.large_command import Plan, fitting, is_large, run_command
from api.content.captions.editing.saving import Change, change_of_command, is_repeat, save
from api.content.captions.errors import CHANGED_SINCE, EditFailed, StaleEdit
from api.content.captions.large import tools
from api.content.captions.large.change import LargeChange, LargeWork
from api.content.captions.links import is_linked
from api.content.captions.models import CaptionTrack
from api.content.captions.reading import all_lines
from api.content.captions.stored.rows import is_sqlite
from api.content.captions.tracks import find_tracks, track_to_change
from api.content.files.models import File
from api.content.quality.checks import NO_PROFILE
from api.content.quality.queries import profile_in_force, profile_named
from api.content.quality.schemas import ChosenProfile, ProfileChoice, Recut
from api.people.auth.viewer import Viewer
from api.platform.db.engine import Database
from cluster.wording.message import Message
from pipelines.captions.edits.edit import EditResult
from pipelines.captions.limits import LINES_MAX
from pipelines.captions.quality.profile import QualityProfile
from pipelines.captions.quality.recut import recut
from pipelines.messages.lines import CaptionLine

TOO_MANY = Message(
    "quality.too_many",
    "By this profile the captions would have more than {count:,} lines. Choose one with longer rows.",
    count=LINES_MAX,
)


async def chosen_profile(session: AsyncSession, viewer: Viewer, key: str, language: str | None) -> ChosenProfile:
    track = (await find_tracks(session, viewer, key)).choose(language)
    chosen = None if track.track is None else track.track.profile
    in_force, _ = await profile_in_force(session, viewer, chosen, track.language)
    return ChosenProfile(chosen=chosen if chosen == in_force else None, profile=in_force)


async def choose_profile(session: AsyncSession, viewer: Viewer, key: str, choice: ProfileChoice) -> ChosenProfile:
    """Raises `EditFailed` for a profile that the viewer cannot see, and `Conflict` while the file is transcribed."""
    if choice.profile is not None and await profile_named(session, viewer, choice.profile) is None:
        raise EditFailed.field("profile", NO_PROFILE)
    tracks = await find_tracks(session, viewer, key, hold=True)
    track = await track_to_change(session, tracks.choose(choice.language))
    track.profile = choice.profile
    in_force, _ = await profile_in_force(session, viewer, choice.profile, track.language)
    return ChosenProfile(chosen=choice.profile, profile=in_force)


async def recut_track(database: Database, viewer: Viewer, key: str, request: Recut) -> Change:
    """Cut the lines again by the track's profile. Raises `StaleEdit` when the editor has not seen the newest state."""

    async def read(session: AsyncSession) -> LargeWork | None:
        tracks = await find_tracks(session, viewer, key)
        track = tracks.choose(request.language).track
        if track is None or request.issued != track.revision or not await is_large(session, track):
            return None
        if await is_repeat(session, tracks.file.id, request.command):
            return None
        _, profile = await profile_in_force(session, viewer, track.profile, track.language)
        tool = partial(tools.cut_again, rules=profile.rules(tracks.file.fps), language=track.language)
        lines = await queries.text_of_lines(session, track.id)
        return LargeWork(tool, track.id, track.revision + 1, lines, is_sqlite(session))

    async def write(session: AsyncSession, plan: Plan | None) -> Change:
        tracks = await find_tracks(session, viewer, key, hold=True)
        if request.command is not None:
            earlier = await change_of_command(session, tracks.file.id, request.command)
            if earlier is not None:
                return earlier
        track = await track_to_change(session, tracks.choose(request.language))
        if request.issued != track.revision:
            raise StaleEdit(CHANGED_SINCE, revision=track.revision)
        result = fitting(plan, track) or await _recut_now(session, viewer, tracks.file, track)
        growth = result.growth if isinstance(result, LargeChange) else len(result.after) - len(result.before)
        if await queries.count_lines(session, track.id) + growth > LINES_MAX:
            raise EditFailed(TOO_MANY)
        change = await save(session, viewer, track, RECUT, result, command_id=request.command)
        await announce(session, tracks.file, change)
        return change

    return await run_command(database, viewer, read, write)


async def _recut_now(session: AsyncSession, viewer: Viewer, file: File, track: CaptionTrack) -> EditResult:
    _, profile = await profile_in_force(session, viewer, track.profile, track.language)
    lines = await all_lines(session, track)
    result = await asyncio.to_thread(_recut, lines, profile, track.language, file.fps)
    return await _linked(session, track, result)


def _recut(lines: Sequence[CaptionLine], profile: QualityProfile, language: str, fps: float | None) -> EditResult:
    return recut(lines, profile.rules(fps), language, lambda: str(uuid.uuid4()))


async def _linked(session: AsyncSession, track: CaptionTrack, result: EditResult) -> EditResult:
    """Lines of a translation are linked to the source lines at their time."""
    if not is_linked(track):
        return result
    linked = await linked_lines(session, track, result.after, replaced=result.before)
    return EditResult(result.before, tuple(linked))
