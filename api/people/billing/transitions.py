"""Which state of a change, an invoice and a subscription may follow which."""

from __future__ import annotations

from api.people.billing.models import BillingChange, ChangeState, Invoice, InvoiceState
from api.people.plans.models import Subscription, SubscriptionStatus
from api.platform.db.transitions import Transitions

CHANGE_STATE = Transitions(
    BillingChange,
    BillingChange.state,
    {
        ChangeState.OPEN: frozenset({ChangeState.DONE, ChangeState.FAILED}),
        ChangeState.DONE: frozenset(),
        ChangeState.FAILED: frozenset(),
    },
)

CONTRACT_INVOICE_STATE = Transitions(
    Invoice,
    Invoice.state,
    {
        InvoiceState.DRAFT: frozenset({InvoiceState.OPEN}),
        InvoiceState.OPEN: frozenset({InvoiceState.PAID, InvoiceState.VOID}),
        InvoiceState.PAID: frozenset(),
        InvoiceState.VOID: frozenset(),
        InvoiceState.UNCOLLECTIBLE: frozenset(),
    },
)
"""For the invoices that we write."""

STRIPE_INVOICE_STATE = Transitions(Invoice, Invoice.state, dict.fromkeys(InvoiceState, frozenset(InvoiceState)))
"""For copies of Stripe's invoices: Stripe decides, and we may miss the states between two readings."""

SUBSCRIPTION_STATUS = Transitions(
    Subscription, Subscription.status, dict.fromkeys(SubscriptionStatus, frozenset(SubscriptionStatus))
)
"""A copy as well."""
