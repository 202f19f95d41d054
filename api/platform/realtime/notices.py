"""An event together with the people whose pages get it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.audience import Audience, audience_of
from api.people.access.owned import Owned
from api.platform.realtime.messages import PollingMessage


@dataclass(frozen=True, slots=True)
class Notice:
    audience: Audience
    message: PollingMessage

    def with_fields(self, **fields: Any) -> Notice:
        """A copy with other values in some fields of the message."""
        return replace(self, message=self.message.model_copy(update=fields))


async def notice_of(session: AsyncSession, owned: Owned, message: PollingMessage) -> Notice:
    """The notice of an event about a file or an upload, to everybody who may see it."""
    return Notice(await audience_of(session, owned), message)
