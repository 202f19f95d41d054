"""The plans of many people at once: to show them, and to choose people by them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.plans.models import COUNTING, Contract, Subscription
from api.people.plans.tiers import PlanTier
from api.people.users.models import User
from api.platform.db import clock
from api.platform.db.expressions import in_list


def _in_force() -> ColumnElement[bool]:
    now = clock.now()
    return and_(Contract.starts_at <= now, or_(Contract.ends_at.is_(None), Contract.ends_at > now))


def _counts() -> ColumnElement[bool]:
    return and_(Subscription.is_current, Subscription.status.in_(COUNTING))


async def plans_of(session: AsyncSession, user_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, PlanTier]:
    """The plan of each of these people, as `api.people.plans.queries.plan_of` decides."""
    tiers = dict.fromkeys(user_ids, PlanTier.NONE)
    subscribed = select(Subscription.user_id, Subscription.tier).where(
        in_list(session, Subscription.user_id, user_ids), _counts()
    )
    tiers |= {user_id: PlanTier(tier) for user_id, tier in (await session.execute(subscribed)).tuples()}
    contracted = select(Contract.user_id).where(in_list(session, Contract.user_id, user_ids), _in_force())
    return tiers | dict.fromkeys((await session.scalars(contracted)).all(), PlanTier.CORPORATE)


def has_plan(wanted: Sequence[PlanTier]) -> ColumnElement[bool]:
    """The people with one of these plans."""
    with_contract = select(Contract.user_id).where(_in_force())
    subscribed = select(Subscription.user_id).where(_counts())
    ways: list[ColumnElement[bool]] = []
    if PlanTier.CORPORATE in wanted:
        ways.append(User.id.in_(with_contract))
    if PlanTier.NONE in wanted:
        ways.append(and_(User.id.not_in(with_contract), User.id.not_in(subscribed)))
    bought = [tier for tier in wanted if tier not in (PlanTier.CORPORATE, PlanTier.NONE)]
    if bought:
        ways.append(and_(User.id.in_(subscribed.where(Subscription.tier.in_(bought))), User.id.not_in(with_contract)))
    return or_(*ways)
