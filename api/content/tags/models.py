from __future__ import annotations

import uuid
from enum import StrEnum

from sqlalchemy import ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from api.people.access.owned import Owned
from api.platform.db.base import Base, HasId, HasTimes, new_slug


class TagColour(StrEnum):
    """The palette. Pages draw each name readable in light and in dark mode."""

    GREY = "grey"
    RED = "red"
    ORANGE = "orange"
    AMBER = "amber"
    LIME = "lime"
    GREEN = "green"
    TEAL = "teal"
    CYAN = "cyan"
    BLUE = "blue"
    INDIGO = "indigo"
    VIOLET = "violet"
    PINK = "pink"


_IS_OWN = text("team_id IS NULL")
_IS_TEAMS = text("team_id IS NOT NULL")


class Tag(HasId, HasTimes, Owned, Base):
    """A label of a person or a team for their files. The projects page shows each tag as a project.

    `key` is the name without case: an owner has each name once.
    """

    __tablename__ = "tags"
    __table_args__ = (
        Index("ux_tags_user_id_key", "user_id", "key", unique=True, sqlite_where=_IS_OWN, postgresql_where=_IS_OWN),
        Index("ux_tags_team_id_key", "team_id", "key", unique=True, sqlite_where=_IS_TEAMS, postgresql_where=_IS_TEAMS),
    )

    # Not SET NULL as in `Owned`: a member may have a tag of the same name.
    team_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), index=True)
    slug: Mapped[str] = mapped_column(String(20), unique=True, default=new_slug)
    name: Mapped[str] = mapped_column(String(60))
    key: Mapped[str] = mapped_column(String(180))
    colour: Mapped[str] = mapped_column(String(10), default=TagColour.GREY)


class FileTag(Base):
    """A tag on a file. Both belong to the same owner."""

    __tablename__ = "file_tags"

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"), primary_key=True)
    tag_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("tags.id", ondelete="CASCADE"), primary_key=True, index=True)
