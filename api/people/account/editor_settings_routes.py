"""A person's settings of the caption editor."""

from __future__ import annotations

from fastapi import APIRouter

from api.people.account.editor_settings import EditorSettings
from api.people.account.models import EditorSettingsRow
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/user/editor-settings", tags=["account"])


@router.get("", responses=error_responses(401))
async def get_editor_settings(viewer: SignedIn, session: ReadSession) -> Data[EditorSettings]:
    """The person's settings, with the product's own where they have set nothing."""
    row = await session.get(EditorSettingsRow, viewer.user_id)
    return Data(data=EditorSettings() if row is None else EditorSettings.model_validate(row.settings))


@router.put("", responses=error_responses(401, 419, 422))
async def save_editor_settings(body: EditorSettings, viewer: SignedIn, session: WriteSession) -> Data[EditorSettings]:
    """Replace the settings. Fields that are left out go back to the product's own."""
    row = await session.get(EditorSettingsRow, viewer.user_id)
    values = body.model_dump(mode="json", exclude_unset=True)
    if row is None:
        session.add(EditorSettingsRow(user_id=viewer.user_id, settings=values))
    else:
        row.settings = values
    return Data(data=body)
