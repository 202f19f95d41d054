"""The voices that a team knows across its files."""

from __future__ import annotations

import uuid

from fastapi import APIRouter

from api.content.speakers.voices import service
from api.content.speakers.voices.schemas import ForgottenVoice, KnownVoicesOut, VoicesSwitch
from api.people.auth.viewer import SignedIn
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, WriteSession

router = APIRouter(prefix="/api/teams", tags=["speakers"])


@router.get("/{team_id}/voices", responses=error_responses(401, 404, 422))
async def list_voices(team_id: uuid.UUID, viewer: SignedIn, session: ReadSession) -> Data[KnownVoicesOut]:
    """Whether the team knows voices across its files, and which."""
    return Data(data=await service.listed(session, viewer, team_id))


@router.put("/{team_id}/voices", responses=error_responses(401, 403, 404, 419, 422))
async def switch_voices(
    team_id: uuid.UUID, body: VoicesSwitch, viewer: SignedIn, session: WriteSession
) -> Data[KnownVoicesOut]:
    """Let the team know voices from the next detection on, or forget all of them."""
    await service.switch(session, viewer, team_id, is_on=body.is_on)
    return Data(data=await service.listed(session, viewer, team_id))


@router.post("/{team_id}/voices/forget", responses=error_responses(401, 403, 404, 419, 422))
async def forget_voice(
    team_id: uuid.UUID, body: ForgottenVoice, viewer: SignedIn, session: WriteSession
) -> Data[KnownVoicesOut]:
    """Remove a voice from every file of the team. The name stays in the captions."""
    await service.forget(session, viewer, team_id, body.name)
    return Data(data=await service.listed(session, viewer, team_id))
