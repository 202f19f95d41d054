"""A person's settings of the caption editor."""

from __future__ import annotations

from fastapi import APIRouter

from api.people.account.editor_settings import EditorSettings
from api.people.account.models import EditorSettingsRow
from api.people.auth.viewer import SignedIn
from api.people.users.models import User
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/user/editor-settings", tags=["account"])


@router.get("", responses=error_responses(401))
async def get_editor_settings(viewer: SignedIn, session: ReadSession) -> Data[EditorSettings]:
    """The person's settings, with the product's own where they have set nothing."""
    row = await session.get(EditorSettingsRow, viewer.user_id)
    return Data(data=EditorSettings() if row is None else EditorSettings.model_validate(row.settings))


@router.patch("", responses=error_responses(401, 419, 422))
async def change_editor_settings(body: EditorSettings, viewer: SignedIn, session: WriteSession) -> Data[EditorSettings]:
    """Change the fields that are given. Two pages of one person keep each other's changes."""
    # The person's own row is there to be locked also before the first setting is.
    await session.get(User, viewer.user_id, with_for_update=True)
    row = await session.get(EditorSettingsRow, viewer.user_id)
    if row is None:
        row = EditorSettingsRow(user_id=viewer.user_id, settings={})
        session.add(row)
    row.settings = {**row.settings, **body.model_dump(mode="json", exclude_unset=True)}
    return Data(data=EditorSettings.model_validate(row.settings))
