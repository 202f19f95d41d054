"""A person's billing as pages see it, from our own tables: it works while Stripe is away."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.people.billing.models import BillingAccount, Invoice, InvoiceState
from api.people.billing.schemas import (
    BillingOut,
    CardOut,
    InvoiceLine,
    InvoiceOut,
    NextOut,
    PendingOut,
    SubscriptionOut,
)
from api.people.billing.stripe.prices import Offer
from api.people.plans.models import Subscription, SubscriptionStatus
from api.people.plans.queries import contract_of, plan_of, subscription_of, was_subscribed
from api.people.plans.tiers import PLANS, BillingPeriod, PlanTier
from api.platform.http.errors import NotFound
from api.platform.http.paging import PageQuery


async def billing_of(session: AsyncSession, user_id: uuid.UUID) -> BillingOut:
    account = await session.get(BillingAccount, user_id)
    subscription = await subscription_of(session, user_id)
    return BillingOut(
        plan=await plan_of(session, user_id),
        has_contract=await contract_of(session, user_id) is not None,
        subscription=_subscription(subscription, account) if subscription is not None else None,
        has_ended=subscription is None and await was_subscribed(session, user_id),
        pending=_pending(account) if account is not None else None,
        due=account.due_amount if account is not None else None,
        card=_card(account) if account is not None else None,
        discount=account.discount if account is not None else None,
    )


def _subscription(row: Subscription, account: BillingAccount | None) -> SubscriptionOut:
    offer = Offer(PlanTier(row.tier), BillingPeriod(row.period))
    following = None
    if row.next_tier is not None and row.next_period is not None:
        after = Offer(PlanTier(row.next_tier), BillingPeriod(row.next_period))
        following = NextOut(
            tier=after.tier, period=after.period, label=PLANS[after.tier].label, price=after.amount, at=row.period_end
        )
    price = offer.amount if account is None or account.price is None else account.price
    renewal = account.renewal_amount if account is not None else None
    if renewal is None:
        renewal = following.price if following is not None else price
    return SubscriptionOut(
        tier=offer.tier,
        label=PLANS[offer.tier].label,
        period=offer.period,
        price=price,
        renewal_amount=renewal,
        discount_until=account.discount_until if account is not None else None,
        status=SubscriptionStatus(row.status),
        period_start=row.period_start,
        period_end=row.period_end,
        cancel_at=row.cancel_at,
        next=following,
    )


def _pending(account: BillingAccount) -> PendingOut | None:
    if account.pending_tier is None or account.pending_period is None:
        return None
    tier = PlanTier(account.pending_tier)
    return PendingOut(
        tier=tier,
        period=BillingPeriod(account.pending_period),
        label=PLANS[tier].label,
        until=account.pending_until,
    )


def _card(account: BillingAccount) -> CardOut | None:
    if account.card_brand is None or account.card_last4 is None:
        return None
    return CardOut(brand=account.card_brand, last4=account.card_last4, month=account.card_month, year=account.card_year)


async def invoices_of(session: AsyncSession, user_id: uuid.UUID, query: PageQuery) -> tuple[Sequence[Invoice], int]:
    """A page of somebody's invoices, the newest first, and how many there are. Drafts are nobody's business yet."""
    mine = select(Invoice).where(Invoice.user_id == user_id, Invoice.state != InvoiceState.DRAFT)
    total = (await session.scalars(select(func.count()).select_from(mine.subquery()))).one()
    newest = mine.order_by(Invoice.issued_at.desc(), Invoice.id).offset(query.offset).limit(query.size)
    return (await session.scalars(newest)).all(), total


async def find_invoice(session: AsyncSession, user_id: uuid.UUID, invoice_id: uuid.UUID) -> Invoice:
    """One of somebody's invoices. Raises `NotFound` for anybody else's."""
    statement = select(Invoice).where(
        Invoice.id == invoice_id, Invoice.user_id == user_id, Invoice.state != InvoiceState.DRAFT
    )
    found = (await session.scalars(statement)).one_or_none()
    if found is None:
        raise NotFound
    return found


def describe(invoice: Invoice) -> InvoiceOut:
    lines = [InvoiceLine.model_validate(line) for line in invoice.lines]
    return InvoiceOut.model_validate({**_columns(invoice), "lines": lines})


def _columns(invoice: Invoice) -> dict[str, object]:
    return {name: getattr(invoice, name) for name in InvoiceOut.model_fields}
