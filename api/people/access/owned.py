"""The columns of whatever people own. The rules of this room read no others."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import ClassVar

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from api.people.teams.models import TeamRole
from api.platform.db.base import Base

EDITORS = frozenset({TeamRole.OWNER, TeamRole.EDITOR})
TEAM_OWNERS = frozenset({TeamRole.OWNER})


class Owned:
    """A mixin for tables. A row belongs to a person and, when `team_id` is set, to a team as well.

    `changed_by` holds the roles whose members may change what a colleague owns.
    """

    changed_by: ClassVar[frozenset[TeamRole]] = EDITORS

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    team_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("teams.id", ondelete="SET NULL"), index=True)


class Restorable(Owned):
    """What people own and delete into the bin, from which it can be restored for a while."""

    deleted_at: Mapped[datetime | None] = mapped_column()
    """Set while the row is in the bin. Each table has the index `deleted_rows`."""


def owned_tables() -> list[type[Owned]]:
    """Every table of things that people own, also below a mixin that adds to this one."""
    return [mapper.class_ for mapper in Base.registry.mappers if issubclass(mapper.class_, Owned)]
