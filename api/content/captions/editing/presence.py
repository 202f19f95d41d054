"""Who has captions open, and on which line. It is sent on at once and stored nowhere.

Not a presence channel of the relay: its members would stay until they disconnect. Here each message goes to those who
may see the file at that moment, so that somebody who has left a team neither hears of it nor is heard.
"""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from dataclasses import replace

from fastapi import APIRouter
from pydantic import BaseModel, Field

from api.content.files import queries as files
from api.people.access.audience import audience_of
from api.people.auth.viewer import SignedIn
from api.people.users.models import User
from api.platform.http.errors import TooManyRequests, error_responses
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.state import State
from api.platform.realtime.messages import PRESENCE_EVENT, PresenceMessage, channel_of
from api.platform.realtime.publisher import ChannelEvent, Publisher, RelayRefused, RelayUnavailable
from api.platform.realtime.relay.limits import Bucket
from cluster.wording.message import Message

TOO_OFTEN = Message("captions.too_often", "This page says too often where it is. Wait a few seconds.")
CALLS_PER_S = 3.0
CALLS_BURST = 30.0
_PEOPLE_MAX = 10_000

router = APIRouter(prefix="/api/files/captions", tags=["captions"])

_calls: OrderedDict[uuid.UUID, Bucket] = OrderedDict()
"""By person, in this process."""


class PresenceIn(BaseModel):
    """Where a page is. `page` is an id that the page made up; `asks` when it has just opened."""

    page: uuid.UUID
    language: str = Field(max_length=LANGUAGE_CODE_MAX)
    line: uuid.UUID | None = None
    is_typing: bool = False
    is_gone: bool = False
    asks: bool = False


@router.post("/{key}/presence", status_code=204, responses=error_responses(401, 404, 419, 422, 429))
async def tell_presence(key: str, body: PresenceIn, viewer: SignedIn, state: State) -> None:
    """Tell everybody who may see these captions where this page is. An administrator in an account stays unseen."""
    _take_turn(viewer.user_id)
    async with state.database.read() as session:
        # It changes nothing, so people who may only look are shown too.
        file = await files.find(session, replace(viewer, is_changing=False), key)
        if viewer.admin_id is not None:
            return
        audience = await audience_of(session, file)
        name = (await session.get_one(User, viewer.user_id)).name
    message = PresenceMessage(slug=file.slug, user=viewer.user_id, name=name, **body.model_dump())
    data = message.model_dump(mode="json")
    events = [ChannelEvent(channel_of(user_id), data, PRESENCE_EVENT) for user_id in audience.user_ids]
    async with Publisher(state.settings) as publisher:
        try:
            await publisher.publish(events)
        except (RelayUnavailable, RelayRefused):
            # Like a lost message: the page says again where it is after a while.
            return


def _take_turn(user_id: uuid.UUID) -> None:
    now = time.monotonic()
    bucket = _calls.pop(user_id, None) or Bucket(CALLS_PER_S, CALLS_BURST, now)
    _calls[user_id] = bucket
    while len(_calls) > _PEOPLE_MAX:
        _calls.popitem(last=False)
    if not bucket.take(now):
        raise TooManyRequests(TOO_OFTEN, retry_after_s=5)
