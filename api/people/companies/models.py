from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, deleted_rows, utc_now


class Company(HasId, HasTimes, Base):
    """A customer that is not one person. Its contract is that of the people assigned to it."""

    __tablename__ = "companies"
    __table_args__ = (
        Index("ix_companies_created_at", "created_at"),
        deleted_rows("companies"),
        Index(
            "uq_companies_registration_number",
            "registration_number",
            unique=True,
            sqlite_where=text("deleted_at IS NULL"),
            postgresql_where=text("deleted_at IS NULL"),
        ),
    )

    name: Mapped[str] = mapped_column(String(200))
    registration_number: Mapped[str | None] = mapped_column(String(40))
    vat_number: Mapped[str | None] = mapped_column(String(40))
    contact: Mapped[str | None] = mapped_column(String(200))
    """The person to talk to."""
    email: Mapped[str | None] = mapped_column(String(254))
    phone: Mapped[str | None] = mapped_column(String(40))
    address: Mapped[str | None] = mapped_column(String(500))
    country: Mapped[str | None] = mapped_column(String(2))
    """ISO 3166-1, in capitals."""
    note: Mapped[str | None] = mapped_column(Text)
    deleted_at: Mapped[datetime | None] = mapped_column()


class CompanyUser(Base):
    """An account of a company. An account belongs to at most one."""

    __tablename__ = "company_users"

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    company_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("companies.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class CompanyTeam(Base):
    """A team of a company. A team belongs to at most one."""

    __tablename__ = "company_teams"

    team_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("teams.id", ondelete="CASCADE"), primary_key=True)
    company_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("companies.id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class CustomerDetails(HasTimes, Base):
    """What administrators note about a customer. `sealed_ssn` is encrypted (`personal_numbers.py`)."""

    __tablename__ = "customer_details"

    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), primary_key=True)
    contact: Mapped[str | None] = mapped_column(String(200))
    sealed_ssn: Mapped[str | None] = mapped_column(String(400))
