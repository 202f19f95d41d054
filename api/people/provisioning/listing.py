"""Find people and groups by a filter."""

from __future__ import annotations

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from scim2_models import ScimFilter, SearchRequest
from scim2_models.path import CompareOperator, Comparison, FilterNode
from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.providers.provider import Provider
from api.people.providers.provisioned import ProvisionedGroup, ProvisionedMember, ProvisionedPerson
from api.people.provisioning.people import key_of
from api.people.provisioning.resources import PAGE_MAX, Group, User, group_out, person_out
from api.platform.db.expressions import in_list
from api.platform.settings import ApiSettings

R = TypeVar("R")
T = TypeVar("T", ProvisionedPerson, ProvisionedGroup)


async def people_page(
    session: AsyncSession, settings: ApiSettings, provider: Provider, search: SearchRequest[User]
) -> tuple[list[User], int]:
    """The people of a page, and how many there are."""
    every = _every(ProvisionedPerson, provider)
    which = _person_condition(None if search.filter is None else search.filter.ast)
    if search.filter is None or which is not None:
        rows, total = await _page(session, every if which is None else every.where(which), search)
        return [person_out(settings, row) for row in rows], total
    rows = (await session.scalars(every)).all()
    return await asyncio.to_thread(_matching, rows, lambda row: person_out(settings, row), search, search.filter)


async def groups_page(
    session: AsyncSession, settings: ApiSettings, provider: Provider, search: SearchRequest[Group]
) -> tuple[list[Group], int]:
    every = _every(ProvisionedGroup, provider)
    which = _group_condition(None if search.filter is None else search.filter.ast)
    if search.filter is None or which is not None:
        rows, total = await _page(session, every if which is None else every.where(which), search)
        members = await _members(session, [row.id for row in rows])
        return [group_out(settings, row, members.get(row.id, [])) for row in rows], total
    rows = (await session.scalars(every)).all()
    members = await _members(session, [row.id for row in rows])

    def make(row: ProvisionedGroup) -> Group:
        return group_out(settings, row, members.get(row.id, []))

    return await asyncio.to_thread(_matching, rows, make, search, search.filter)


async def everything_page(
    session: AsyncSession, settings: ApiSettings, provider: Provider, search: SearchRequest[Any]
) -> tuple[list[User | Group], int]:
    """People and groups together, as the search at the root wants them."""
    people = (await session.scalars(_every(ProvisionedPerson, provider))).all()
    groups = (await session.scalars(_every(ProvisionedGroup, provider))).all()
    members = await _members(session, [row.id for row in groups])

    def make(row: ProvisionedPerson | ProvisionedGroup) -> User | Group:
        if isinstance(row, ProvisionedPerson):
            return person_out(settings, row)
        return group_out(settings, row, members.get(row.id, []))

    return await asyncio.to_thread(_matching, [*people, *groups], make, search, search.filter)


def _every(table: type[T], provider: Provider) -> Select[T]:
    return select(table).where(table.provider == provider.slug).order_by(table.created_at, table.id)


async def _page(session: AsyncSession, statement: Select[Any], search: SearchRequest[Any]) -> tuple[Sequence[Any], int]:
    total = await session.scalar(select(func.count()).select_from(statement.order_by(None).subquery())) or 0
    start, count = _window(search)
    rows = (await session.scalars(statement.offset(start).limit(count))).all() if count else []
    return rows, total


def _window(search: SearchRequest[Any]) -> tuple[int, int]:
    """Where the page starts, and how many it may hold. RFC 7644 (3.4.2.4) reads numbers that are too small as the
    smallest."""
    count = PAGE_MAX if search.count is None else min(max(search.count, 0), PAGE_MAX)
    return max(search.start_index or 1, 1) - 1, count


def _matching(
    rows: Sequence[Any], make: Callable[[Any], R], search: SearchRequest[Any], wanted: ScimFilter[Any] | None
) -> tuple[list[R], int]:
    found = [resource for resource in map(make, rows) if wanted is None or wanted.match(resource)]
    start, count = _window(search)
    return found[start : start + count], len(found)


async def _members(session: AsyncSession, group_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[uuid.UUID]]:
    found: dict[uuid.UUID, list[uuid.UUID]] = defaultdict(list)
    if group_ids:
        statement = (
            select(ProvisionedMember.group_id, ProvisionedMember.person_id)
            .where(in_list(session, ProvisionedMember.group_id, list(group_ids)))
            .order_by(ProvisionedMember.person_id)
        )
        for group_id, person_id in (await session.execute(statement)).tuples():
            found[group_id].append(person_id)
    return found


def _person_condition(node: FilterNode | None) -> ColumnElement[bool] | None:
    """What the database finds by itself: what providers ask for before they add somebody."""
    equal = _equality(node)
    match equal:
        case ("username", value):
            return ProvisionedPerson.name_key == key_of(value)
        case ("externalid", value):
            return ProvisionedPerson.external_id == value
    return None


def _group_condition(node: FilterNode | None) -> ColumnElement[bool] | None:
    match _equality(node):
        case ("displayname", value):
            return func.lower(ProvisionedGroup.name) == value.lower()
        case ("externalid", value):
            return ProvisionedGroup.external_id == value
    return None


def _equality(node: FilterNode | None) -> tuple[str, str] | None:
    """The attribute in lower case and the text of `attribute eq "text"`."""
    if not isinstance(node, Comparison) or node.op is not CompareOperator.eq or not isinstance(node.value, str):
        return None
    return None if node.attr_path.sub_attr else (node.attr_path.attr.lower(), node.value)
