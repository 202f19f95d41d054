"""Groups that a provider keeps, and who is in them."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence

from scim2_models import InvalidValueException, NotFoundException
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.access.belongings import Belongings
from api.people.providers.provider import Provider
from api.people.providers.provisioned import (
    ProvisionedGroup,
    ProvisionedMember,
    ProvisionedPerson,
    provisioned_groups,
)
from api.people.provisioning.resources import Group
from api.people.single_sign_on.groups import apply_admin_groups, apply_team_groups
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.db.expressions import in_list

NAME_MAX = 300
MEMBERS_MAX = 10_000
NO_GROUP = "There is no such group."
NO_NAME = "A group needs a displayName of at most {most} letters."
NO_MEMBER = "There is no person {id}. Add people before the groups that they are in."
TOO_MANY = "A group has at most {most} members here."


async def group(session: AsyncSession, provider: Provider, group_id: str, *, hold: bool = False) -> ProvisionedGroup:
    """Raises `NotFoundException`."""
    try:
        key = uuid.UUID(group_id)
    except ValueError:
        raise NotFoundException(detail=NO_GROUP) from None
    mine = select(ProvisionedGroup).where(ProvisionedGroup.id == key, ProvisionedGroup.provider == provider.slug)
    row = (await session.scalars(mine.with_for_update() if hold else mine)).one_or_none()
    if row is None:
        raise NotFoundException(detail=NO_GROUP)
    return row


async def members_of(session: AsyncSession, group_id: uuid.UUID) -> Sequence[uuid.UUID]:
    statement = (
        select(ProvisionedMember.person_id)
        .where(ProvisionedMember.group_id == group_id)
        .order_by(ProvisionedMember.person_id)
    )
    return (await session.scalars(statement)).all()


async def add(session: AsyncSession, provider: Provider, wanted: Group) -> tuple[ProvisionedGroup, set[uuid.UUID]]:
    """Returns the group, and the people whose groups changed. Raises a `SCIMException`."""
    row = ProvisionedGroup(provider=provider.slug, name=_name(wanted), external_id=wanted.external_id)
    session.add(row)
    await session.flush()
    return row, await _set_members(session, provider, row, wanted)


async def change(session: AsyncSession, provider: Provider, row: ProvisionedGroup, wanted: Group) -> set[uuid.UUID]:
    """Give a group this name and these members. Returns the people whose groups changed. Raises a `SCIMException`."""
    name = _name(wanted)
    was_renamed = name != row.name
    row.name, row.external_id = name, wanted.external_id
    changed = await _set_members(session, provider, row, wanted)
    return changed | set(await members_of(session, row.id)) if was_renamed else changed


async def remove(session: AsyncSession, row: ProvisionedGroup) -> set[uuid.UUID]:
    """Returns the people who were in it."""
    members = set(await members_of(session, row.id))
    await session.delete(row)
    await session.flush()
    return members


async def settle(
    database: Database, belongings: Belongings, provider: Provider, person_ids: Collection[uuid.UUID]
) -> None:
    """Let the teams and rights of people follow their groups, each in transactions of its own."""
    for person_id in sorted(person_ids):
        async with database.write() as session:
            row = await session.get(ProvisionedPerson, person_id)
            if row is None:
                continue
            groups = await provisioned_groups(session, provider.slug, row.user_id) or frozenset()
            user = await session.get_one(User, row.user_id, with_for_update=True)
            await apply_admin_groups(session, provider, groups, user)
            user_id = user.id
        await apply_team_groups(database, belongings, provider, groups, user_id)


async def _set_members(
    session: AsyncSession, provider: Provider, row: ProvisionedGroup, wanted: Group
) -> set[uuid.UUID]:
    ids = _ids(wanted)
    if len(ids) > MEMBERS_MAX:
        raise InvalidValueException(detail=TOO_MANY.format(most=MEMBERS_MAX))
    before = set(await members_of(session, row.id))
    new, gone = ids - before, before - ids
    if new:
        known = select(ProvisionedPerson.id).where(
            in_list(session, ProvisionedPerson.id, sorted(new)), ProvisionedPerson.provider == provider.slug
        )
        missing = new - set((await session.scalars(known)).all())
        if missing:
            raise InvalidValueException(detail=NO_MEMBER.format(id=min(missing)))
        session.add_all(ProvisionedMember(group_id=row.id, person_id=each) for each in sorted(new))
    if gone:
        left = (ProvisionedMember.group_id == row.id, in_list(session, ProvisionedMember.person_id, sorted(gone)))
        await session.execute(delete(ProvisionedMember).where(*left).execution_options(synchronize_session=False))
    await session.flush()
    return new | gone


def _ids(wanted: Group) -> set[uuid.UUID]:
    found = set()
    for member in wanted.members or []:
        try:
            found.add(uuid.UUID(member.value or ""))
        except ValueError:
            raise InvalidValueException(detail=NO_MEMBER.format(id=member.value)) from None
    return found


def _name(wanted: Group) -> str:
    name = (wanted.display_name or "").strip()
    if not name or len(name) > NAME_MAX or len(wanted.external_id or "") > NAME_MAX:
        raise InvalidValueException(detail=NO_NAME.format(most=NAME_MAX))
    return name
