"""People and groups that an identity provider keeps up to date here (SCIM 2.0)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, String, UniqueConstraint, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from api.platform.db.base import Base, HasId, HasTimes, utc_now


class ProvisioningToken(Base):
    """What a provider's calls carry, as the SHA-256 of it. One for each provider."""

    __tablename__ = "provisioning_tokens"

    provider: Mapped[str] = mapped_column(String(40), primary_key=True)
    token_hash: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    used_at: Mapped[datetime | None] = mapped_column()


class ProvisionedPerson(HasId, HasTimes, Base):
    """A person as a provider describes them: `described` is the resource without its id and times.

    `name_key` is the user name in the form in which two are equal. `made_account`: the account was made for them, so it
    has no owner who would have to agree that this provider signs them in.
    """

    __tablename__ = "provisioned_people"
    __table_args__ = (
        UniqueConstraint("provider", "name_key", name="uq_provisioned_people_name"),
        UniqueConstraint("provider", "user_id", name="uq_provisioned_people_account"),
        Index("ix_provisioned_people_external_id", "provider", "external_id"),
    )

    provider: Mapped[str] = mapped_column(String(40))
    user_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    name_key: Mapped[str] = mapped_column(String(300))
    external_id: Mapped[str | None] = mapped_column(String(300))
    described: Mapped[dict[str, Any]] = mapped_column()
    made_account: Mapped[bool] = mapped_column(default=False)


class ProvisionedGroup(HasId, HasTimes, Base):
    """A group of a provider. Its name is what the provider's settings give teams and rights by."""

    __tablename__ = "provisioned_groups"
    __table_args__ = (Index("ix_provisioned_groups_name", "provider", "name"),)

    provider: Mapped[str] = mapped_column(String(40))
    name: Mapped[str] = mapped_column(String(300))
    external_id: Mapped[str | None] = mapped_column(String(300))


class ProvisionedMember(Base):
    __tablename__ = "provisioned_members"

    group_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("provisioned_groups.id", ondelete="CASCADE"), primary_key=True
    )
    person_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("provisioned_people.id", ondelete="CASCADE"), primary_key=True, index=True
    )


async def provisioned_groups(session: AsyncSession, provider: str, user_id: uuid.UUID) -> frozenset[str] | None:
    """The groups of an account, by name. None where the provider sends no groups here: then its sign-ins say them."""
    if await session.scalar(select(ProvisionedGroup.id).where(ProvisionedGroup.provider == provider).limit(1)) is None:
        return None
    statement = (
        select(ProvisionedGroup.name)
        .join(ProvisionedMember, ProvisionedMember.group_id == ProvisionedGroup.id)
        .join(ProvisionedPerson, ProvisionedPerson.id == ProvisionedMember.person_id)
        .where(ProvisionedGroup.provider == provider, ProvisionedPerson.user_id == user_id)
    )
    return frozenset((await session.scalars(statement)).all())


async def was_made_by(session: AsyncSession, provider: str, user_id: uuid.UUID) -> bool:
    """Whether this provider made the account for its person."""
    statement = select(ProvisionedPerson.id).where(
        ProvisionedPerson.provider == provider,
        ProvisionedPerson.user_id == user_id,
        ProvisionedPerson.made_account,
    )
    return await session.scalar(statement) is not None
