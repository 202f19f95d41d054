from __future__ import annotations

from sqlalchemy import Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.access.owned import Owned
from api.db.base import Base, HasId, HasTimes


class GlossaryTermRow(HasId, HasTimes, Owned, Base):
    """How a person or a team wants a term translated. An equal `target` means that it stays as it is.

    Languages are codes of the language lists; an empty one means any. A term of a team has its `team_id`.
    """

    __tablename__ = "glossary_terms"
    __table_args__ = (Index("ix_glossary_terms_user_id", "user_id"),)

    source_language: Mapped[str | None] = mapped_column(String(20))
    target_language: Mapped[str | None] = mapped_column(String(20))
    source: Mapped[str] = mapped_column(Text)
    target: Mapped[str] = mapped_column(Text)
    note: Mapped[str] = mapped_column(Text, default="")
    case_sensitive: Mapped[bool] = mapped_column(default=False)
