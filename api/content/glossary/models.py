from __future__ import annotations

import uuid

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from api.people.access.owned import Owned
from api.platform.db.base import Base, HasId, HasTimes


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


class KnownWordRow(HasId, HasTimes, Owned, Base):
    """A word that the spelling check accepts for a person or a team. Without a `language` it is right in any."""

    __tablename__ = "known_words"
    __table_args__ = (Index("ix_known_words_user_id", "user_id"),)

    word: Mapped[str] = mapped_column(String(100))
    language: Mapped[str | None] = mapped_column(String(20))


class WordCorrectionRow(HasId, HasTimes, Owned, Base):
    """One word that somebody corrected in one line of captions. It belongs to whom the file belongs.

    A further change of the same word in the same line changes this row, and the original word removes it, so that
    pauses in typing and undo count for nothing. `is_settled`: its pair became a term or was dismissed.
    """

    __tablename__ = "word_corrections"
    __table_args__ = (
        Index("ix_word_corrections_user_id", "user_id"),
        Index("ix_word_corrections_file_id_line_id", "file_id", "line_id"),
    )

    file_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("files.id", ondelete="CASCADE"))
    line_id: Mapped[uuid.UUID] = mapped_column()
    language: Mapped[str] = mapped_column(String(20))
    wrong: Mapped[str] = mapped_column(String(200))
    right: Mapped[str] = mapped_column(String(200))
    is_settled: Mapped[bool] = mapped_column(default=False)
