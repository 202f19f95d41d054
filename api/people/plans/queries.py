"""The plan that a person has, by contract or subscription."""

from __future__ import annotations

import uuid
from collections.abc import Collection

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.plans.minutes import Grant, GrantSource
from api.people.plans.models import COUNTING, Contract, Subscription, SubscriptionStatus
from api.people.plans.tiers import PlanTier
from api.platform.db import clock


async def plan_of(session: AsyncSession, user_id: uuid.UUID) -> PlanTier:
    """The plan that pays for a person's work. A contract comes before a subscription."""
    if await contract_of(session, user_id) is not None:
        return PlanTier.CORPORATE
    subscription = await subscription_of(session, user_id)
    if subscription is None or subscription.status not in COUNTING:
        return PlanTier.NONE
    return PlanTier(subscription.tier)


async def contract_of(session: AsyncSession, user_id: uuid.UUID) -> Contract | None:
    """The contract in force now."""
    now = clock.now()
    statement = select(Contract).where(
        Contract.user_id == user_id, Contract.starts_at <= now, or_(Contract.ends_at.is_(None), Contract.ends_at > now)
    )
    return (await session.scalars(statement)).one_or_none()


async def subscription_of(session: AsyncSession, user_id: uuid.UUID) -> Subscription | None:
    """The subscription that has not ended, in whatever state."""
    statement = select(Subscription).where(Subscription.user_id == user_id, Subscription.is_current)
    return (await session.scalars(statement)).one_or_none()


async def was_subscribed(session: AsyncSession, user_id: uuid.UUID) -> bool:
    """Whether a subscription of this person has ended. One whose first payment never arrived does not count."""
    statement = select(Subscription.id).where(
        Subscription.user_id == user_id,
        Subscription.is_current.is_(False),
        Subscription.status != SubscriptionStatus.INCOMPLETE_EXPIRED,
    )
    return (await session.scalars(statement.limit(1))).first() is not None


async def payers_with_free_minutes(session: AsyncSession, user_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these people whose free minutes are not over. Used up, they still last until their day.

    Whoever spent them on one file can correct and export it before they decide on a plan.
    """
    if not user_ids:
        return set()
    now = clock.now()
    statement = select(Grant.payer_id).where(
        Grant.payer_id.in_(user_ids),
        Grant.source == GrantSource.FREE,
        Grant.starts_at <= now,
        or_(Grant.expires_at.is_(None), Grant.expires_at > now),
    )
    return set((await session.scalars(statement)).all())


async def payers_with_plan(session: AsyncSession, user_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these people whose subscription or contract counts now."""
    if not user_ids:
        return set()
    now = clock.now()
    subscribed = select(Subscription.user_id).where(
        Subscription.user_id.in_(user_ids), Subscription.is_current, Subscription.status.in_(COUNTING)
    )
    contracted = select(Contract.user_id).where(
        Contract.user_id.in_(user_ids),
        Contract.starts_at <= now,
        or_(Contract.ends_at.is_(None), Contract.ends_at > now),
    )
    return set((await session.scalars(subscribed.union(contracted))).all())
