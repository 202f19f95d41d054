from __future__ import annotations

import uuid
from collections.abc import Iterable

from sqlalchemy import inspect, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.plans.models import SubscriptionStatus
from api.people.plans.queries import (
    payers_with_free_minutes,
    payers_with_plan,
    plan_of,
    subscription_of,
    was_subscribed,
)
from api.people.plans.tiers import PlanTier
from api.people.users.avatar_address import avatar_url
from api.people.users.models import NO_PASSWORD, User
from api.people.users.passkeys import has_passkeys
from api.people.users.restrictions import has_factor, must_add_factor, must_verify
from api.people.users.schemas import UserOut
from api.people.users.teams import describe_team, teams_of_user
from api.platform.db.engine import Database
from api.platform.db.expressions import in_list
from api.platform.settings import ApiSettings

UNPAID = (SubscriptionStatus.INCOMPLETE, SubscriptionStatus.PAST_DUE, SubscriptionStatus.UNPAID)


async def describe(session: AsyncSession, user: User, settings: ApiSettings) -> UserOut:
    """The user as pages see them."""
    teams = await teams_of_user(session, user.id)
    plan = await plan_of(session, user.id)
    active = [each.team for each in teams]
    asking = [team.id for team in active if team.requires_factor]
    subscription = await subscription_of(session, user.id) if settings.billing else None
    if settings.billing:
        team_payers = {team.payer_id for team in active if team.payer_id is not None}
        payers = await payers_with_plan(session, team_payers)
        payers |= await payers_with_free_minutes(session, team_payers)
        active = [team for team in active if team.payer_id in payers]
    has_free = plan is PlanTier.NONE and settings.billing and bool(await payers_with_free_minutes(session, [user.id]))
    has_ended = settings.billing and subscription is None and await was_subscribed(session, user.id)
    return UserOut(
        id=user.id,
        name=user.name,
        email=user.email,
        email_verified=user.email_verified_at is not None,
        locale=user.locale,
        teams=[describe_team(each) for each in teams],
        plan=plan,
        has_subscription=not settings.billing or plan is not PlanTier.NONE or has_free,
        has_free_minutes=has_free,
        has_team=bool(active),
        has_incomplete_payment=subscription is not None and subscription.status in UNPAID,
        has_ended_subscription=has_ended,
        is_admin=user.is_admin,
        has_second_factor=user.second_factor_at is not None,
        has_passkeys=await has_passkeys(session, user.id),
        has_password=user.password_hash != NO_PASSWORD,
        must_verify_email=must_verify(settings, user),
        must_add_factor=must_add_factor(settings, user, asked_by_team=bool(asking)),
        factor_teams=[] if has_factor(user) else asking,
        pending_email=user.pending_email,
        avatar_url=avatar_url(user),
    )


async def has_accounts(database: Database) -> bool:
    """Whether anybody has an account, also in a database without a schema."""
    async with database.engine.connect() as connection:
        if not await connection.run_sync(lambda opened: inspect(opened).has_table(User.__tablename__)):
            return False
        return (await connection.execute(select(User.id).limit(1))).first() is not None


async def has_other_admin(session: AsyncSession, user_id: uuid.UUID) -> bool:
    """Whether somebody else is an administrator. Locks them: two may stop being one at once."""
    admins = select(User.id).where(User.is_admin, User.deleted_at.is_(None)).order_by(User.id).with_for_update()
    return any(admin != user_id for admin in (await session.scalars(admins)).all())


async def with_locale(session: AsyncSession, user_ids: Iterable[uuid.UUID], locale: str) -> frozenset[uuid.UUID]:
    """Those of the people whose account is in this language."""
    statement = select(User.id).where(in_list(session, User.id, list(user_ids)), User.locale == locale)
    return frozenset((await session.scalars(statement)).all())
