"""The recovery from missed events: all unfinished work that a viewer may see, sent to their channel again.

Each domain contributes the events of its own work.
"""

from __future__ import annotations

from fastapi import APIRouter, Request
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.ai_texts.current_state import unfinished_texts
from api.content.exports.current_state import unfinished_exports
from api.content.files.current_state import unfinished_files, unfinished_playback
from api.content.speakers.current_state import unfinished_detections
from api.content.translations.current_state import unfinished_translations
from api.content.uploads.current_state import unfinished_uploads
from api.people.auth.viewer import SignedIn, Viewer, require_csrf_header
from api.platform.http.envelope import Data
from api.platform.http.errors import Unavailable, error_responses
from api.platform.http.state import State
from api.platform.realtime.messages import PollingMessage
from api.platform.realtime.publisher import Publisher, RelayRefused, RelayUnavailable, event_for
from api.platform.realtime.schemas import SentCount

PARTS = (
    unfinished_uploads,
    unfinished_files,
    unfinished_playback,
    unfinished_translations,
    unfinished_texts,
    unfinished_detections,
    unfinished_exports,
)

router = APIRouter(prefix="/api", tags=["realtime"])


async def current_state(session: AsyncSession, viewer: Viewer) -> list[PollingMessage]:
    """Events for each unfinished upload, file, playback copy, translation, text, detection and export."""
    return [message for part in PARTS for message in await part(session, viewer)]


@router.get("/polling/initiate", responses=error_responses(401, 403, 419, 503))
async def initiate(request: Request, viewer: SignedIn, state: State) -> Data[SentCount]:
    """Send the current state of all unfinished work to the user's channel, to recover from missed events."""
    # It changes what pages show, so pages of other sites may not call it with a user's cookies. Stock clients send no
    # token; for them a browser says itself whose page calls.
    if request.headers.get("sec-fetch-site") != "same-origin":
        await require_csrf_header(request, state)
    async with state.database.read() as session:
        messages = await current_state(session, viewer)
    async with Publisher(state.settings) as publisher:
        try:
            await publisher.publish([event_for(viewer.user_id, message) for message in messages])
        except (RelayUnavailable, RelayRefused):
            raise Unavailable(headers={"Retry-After": "5"}) from None
    return Data(data=SentCount(sent=len(messages)))
