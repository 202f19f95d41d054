"""An event together with the people whose pages get it."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from typing import Any

from api.platform.realtime.messages import PollingMessage


@dataclass(frozen=True, slots=True)
class Audience:
    """People, each of whom has a private channel. With `team_id`, only as long as they are members of that team."""

    user_ids: tuple[uuid.UUID, ...]
    team_id: uuid.UUID | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    audience: Audience
    message: PollingMessage

    def with_fields(self, **fields: Any) -> Notice:
        """A copy with other values in some fields of the message."""
        return replace(self, message=self.message.model_copy(update=fields))
