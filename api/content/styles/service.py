"""Presets of caption styles, and the style of a file."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.files.models import File
from api.content.styles import queries
from api.content.styles.models import CaptionStyleRow, FileStyle
from api.content.styles.schemas import FileStyleIn, FileStyleOut, NewPreset, PresetIn, StyleScope, preset_key
from api.people.access.rules import require_addition
from api.people.auth.viewer import Viewer
from api.platform.db.base import utc_now
from api.platform.http.errors import Invalid
from cluster.wording.message import Message
from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES, DEFAULT_STYLE_ID
from pipelines.messages.caption_style import DEFAULT_STYLE, CaptionStyle

PRESETS_MAX = 200
"""Presets of one person or one team."""

FULL = Message(
    "styles.full", "There are {count} styles already, and no more fit. Delete some first.", count=PRESETS_MAX
)
TAKEN = Message("styles.taken", "There is a style with this name already. Choose another name.")
NO_TEAM = Message("styles.no_team", "You are not acting for a team. Choose one first, or keep the style for yourself.")
NOT_BUILT_IN = Message("styles.not_built_in", "Built-in styles cannot be added. Choose yourself or your team.")
UNKNOWN_STYLE = Message(
    "styles.unknown_style", "This style no longer exists, or this file's team does not have it. Choose another one."
)


async def add(session: AsyncSession, viewer: Viewer, preset: NewPreset) -> CaptionStyleRow:
    """Add a preset. Raises `Invalid` for a name that is taken, and when no more fit."""
    team_id = _team(viewer, preset.scope)
    present = await queries.of_one_owner(session, viewer.user_id, team_id)
    _require_free(preset.name, present)
    if len(present) >= PRESETS_MAX:
        raise Invalid.field("name", FULL)
    if preset.is_default:
        _clear_default(present)
    row = CaptionStyleRow(
        user_id=viewer.user_id,
        team_id=team_id,
        name=preset.name,
        style=preset.style.to_json(),
        is_default=preset.is_default,
    )
    session.add(row)
    await session.flush()
    return row


async def change(session: AsyncSession, viewer: Viewer, style_id: uuid.UUID, preset: PresetIn) -> CaptionStyleRow:
    row = await queries.find(session, viewer, style_id)
    others = [one for one in await queries.of_one_owner(session, row.user_id, row.team_id) if one.id != row.id]
    _require_free(preset.name, others)
    if preset.is_default:
        _clear_default(others)
    row.name, row.style, row.is_default = preset.name, preset.style.to_json(), preset.is_default
    row.updated_at = utc_now()
    await session.flush()
    return row


async def remove(session: AsyncSession, viewer: Viewer, style_id: uuid.UUID) -> None:
    """Delete a preset. Files that were given it keep their copy of it."""
    row = await queries.find(session, viewer, style_id)
    await session.execute(delete(CaptionStyleRow).where(CaptionStyleRow.id == row.id))


async def style_of(session: AsyncSession, file: File) -> FileStyleOut:
    """The style with which a file is drawn: its own, else the default of its team or owner, else the built-in one."""
    own = await queries.of_file(session, file)
    read = None if own is None else CaptionStyle.read(own.style)
    if own is not None and read is not None:
        return FileStyleOut(preset_id=own.preset_id, is_own=True, style=read)
    default = await queries.default_for(session, file)
    read = None if default is None else CaptionStyle.read(default.style)
    if default is not None and read is not None:
        return FileStyleOut(preset_id=str(default.id), is_own=False, style=read)
    return FileStyleOut(preset_id=DEFAULT_STYLE_ID, is_own=False, style=DEFAULT_STYLE)


async def set_style(session: AsyncSession, file: File, body: FileStyleIn) -> FileStyleOut:
    """Remember a style with its file."""
    row = await queries.of_file(session, file)
    if row is None:
        row = FileStyle(file_id=file.id, preset_id=body.preset_id, style=body.style.to_json())
        session.add(row)
    row.preset_id, row.style, row.updated_at = body.preset_id, body.style.to_json(), utc_now()
    await session.flush()
    return FileStyleOut(preset_id=row.preset_id, is_own=True, style=body.style)


async def frozen_style(session: AsyncSession, file: File, style_id: str | None = None) -> CaptionStyle:
    """The style to freeze with an export: a built-in or a preset by its id, or without one the file's.

    Raises `Invalid` for an id that names neither a built-in style nor a preset of the file's owner or team.
    """
    if style_id is None:
        return (await style_of(session, file)).style
    if style_id in BUILT_IN_STYLES:
        return BUILT_IN_STYLES[style_id][1]
    key = preset_key(style_id)
    row = None if key is None else await queries.for_file(session, file, key)
    style = None if row is None else CaptionStyle.read(row.style)
    if style is None:
        raise Invalid.field("style_id", UNKNOWN_STYLE)
    return style


def _require_free(name: str, present: Sequence[CaptionStyleRow]) -> None:
    if any(one.name.casefold() == name.casefold() for one in present):
        raise Invalid.field("name", TAKEN)


def _clear_default(present: Sequence[CaptionStyleRow]) -> None:
    for one in present:
        one.is_default = False


def _team(viewer: Viewer, scope: StyleScope | None) -> uuid.UUID | None:
    if scope is StyleScope.BUILT_IN:
        raise Invalid.field("scope", NOT_BUILT_IN)
    if scope is StyleScope.TEAM and viewer.team_id is None:
        raise Invalid.field("scope", NO_TEAM)
    if scope is StyleScope.USER or viewer.team_id is None:
        return None
    require_addition(viewer)
    return viewer.team_id
