"""Caption styles: built-in ones, presets of a person and of their active team, the style of a file, and previews."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from fastapi import APIRouter
from fastapi.responses import FileResponse

from api.content.files import queries as files
from api.content.styles import preview, queries, service
from api.content.styles.models import CaptionStyleRow
from api.content.styles.schemas import (
    FileStyleIn,
    FileStyleOut,
    NewPreset,
    PresetIn,
    PresetOut,
    ScriptOut,
    ScriptRequest,
    StyleScope,
    StylesOut,
    describe,
)
from api.people.access.rules import offers_change
from api.people.auth.viewer import SignedIn, Viewer
from api.platform.http.envelope import Data
from api.platform.http.errors import NotFound, error_responses
from api.platform.http.state import ReadSession, WriteSession
from cluster.wording.message import Message
from pipelines.captions.fonts.font_files import FONT_FILES, FONTS_DIR
from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES

router = APIRouter(tags=["caption styles"])

NO_SUCH_FONT = Message(
    "styles.no_such_font", "There is no font of this name. The list of styles has the addresses of all fonts."
)
_YEAR = "private, max-age=31536000, immutable"
FONT_RESPONSE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"font/sfnt": {"schema": {"type": "string", "format": "binary"}}}}
}
_BUNDLED = frozenset(name for names in FONT_FILES.values() for name in names)


def _out(viewer: Viewer, row: CaptionStyleRow) -> PresetOut:
    return describe(row, may_change=offers_change(viewer, row))


@router.get("/api/caption-styles", responses=error_responses(401))
async def list_styles(viewer: SignedIn, session: ReadSession) -> Data[StylesOut]:
    """The built-in styles, one's own presets and those of the active team, and the fonts that captions can have."""
    built_in = [
        PresetOut(id=key, name=name, scope=StyleScope.BUILT_IN, is_default=False, may_change=False, style=style)
        for key, (name, style) in BUILT_IN_STYLES.items()
    ]
    rows = await queries.listed(session, viewer.user_id, viewer.team_id)
    return Data(data=StylesOut(presets=[*built_in, *(_out(viewer, row) for row in rows)], fonts=preview.fonts()))


@router.post("/api/caption-styles", status_code=201, responses=error_responses(401, 419, 422))
async def add_style(body: NewPreset, viewer: SignedIn, session: WriteSession) -> Data[PresetOut]:
    return Data(data=_out(viewer, await service.add(session, viewer, body)))


@router.post("/api/caption-styles/script", responses=error_responses(401, 419, 422))
async def preview_script(body: ScriptRequest, _viewer: SignedIn) -> Data[ScriptOut]:
    """Lines as an ASS script, exactly as an export in this style draws them. Nothing is stored."""
    return Data(data=await asyncio.to_thread(preview.preview_script, body))


@router.get(
    "/api/caption-styles/fonts/{name}",
    response_class=FileResponse,
    responses=FONT_RESPONSE | error_responses(401, 404),
)
async def get_font(name: str, _viewer: SignedIn, v: str = "") -> FileResponse:
    """A font file that previews draw with. Browsers keep it under the address that `v` makes, the font's version."""
    if name not in _BUNDLED:
        raise NotFound(NO_SUCH_FONT)
    cache = _YEAR if v == preview.version_of(name) else "no-cache"
    return FileResponse(FONTS_DIR / name, media_type="font/sfnt", headers={"Cache-Control": cache})


@router.put("/api/caption-styles/{style_id}", responses=error_responses(401, 404, 419, 422))
async def change_style(style_id: uuid.UUID, body: PresetIn, viewer: SignedIn, session: WriteSession) -> Data[PresetOut]:
    return Data(data=_out(viewer, await service.change(session, viewer, style_id, body)))


@router.delete("/api/caption-styles/{style_id}", status_code=204, responses=error_responses(401, 404, 419))
async def delete_style(style_id: uuid.UUID, viewer: SignedIn, session: WriteSession) -> None:
    """Delete a preset. Files that were given it keep its look."""
    await service.remove(session, viewer, style_id)


@router.get("/api/files/style/{slug}", responses=error_responses(401, 404))
async def get_file_style(slug: str, viewer: SignedIn, session: ReadSession) -> Data[FileStyleOut]:
    return Data(data=await service.style_of(session, await files.find(session, viewer, slug)))


@router.put("/api/files/style/{slug}", responses=error_responses(401, 404, 419, 422))
async def set_file_style(slug: str, body: FileStyleIn, viewer: SignedIn, session: WriteSession) -> Data[FileStyleOut]:
    return Data(data=await service.set_style(session, await files.find(session, viewer, slug, hold=True), body))
