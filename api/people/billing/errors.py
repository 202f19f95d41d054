"""Refusals of billing, as sentences."""

from __future__ import annotations

from api.platform.http.errors import ApiError, Conflict, Invalid, Unavailable
from cluster.wording.message import Message


class PaymentsAway(Unavailable):
    """Stripe did not answer. Whether it has done what we asked is unknown until the call is repeated."""

    message = Message(
        "billing.payments_away",
        "Our payment provider cannot be reached right now. You were not charged twice; try again in a moment.",
    )


class PaymentsNotSetUp(Unavailable):
    message = Message(
        "billing.payments_not_set_up", "Payments are not set up on this installation yet. Ask its administrator."
    )


class CardRefused(ApiError):
    status_code = 402
    code = "card_refused"
    message = Message("billing.card_refused", "Your card was declined. Use another card, or ask your bank.")


class ChangeUnderWay(Conflict):
    code = "change_under_way"
    message = Message(
        "billing.change_under_way",
        "Another change of your subscription is under way. Wait a minute and reload the page.",
    )


class AmountChanged(Conflict):
    code = "amount_changed"
    message = Message(
        "billing.amount_changed",
        "The amount has changed since it was shown. Nothing was charged; look at the new amount and confirm it.",
    )


class AlreadySubscribed(Conflict):
    code = "already_subscribed"
    message = Message(
        "billing.already_subscribed", "You already have a subscription. Change it on the page Subscription."
    )


class NoSubscription(Conflict):
    code = "no_subscription"
    message = Message("billing.no_subscription", "You have no subscription that can be changed. Choose a plan first.")


class NothingDue(Conflict):
    code = "nothing_due"
    message = Message("billing.nothing_due", "Nothing has to be paid. Reload the page to see how things stand.")


class BadSignature(ApiError):
    message = Message("billing.bad_signature", "The signature of this event is not valid.")


class BadEvent(ApiError):
    message = Message("billing.bad_event", "This is no event that we can read. Send it as Stripe writes it.")


class NotYours(Invalid):
    message = Message(
        "billing.not_yours",
        "This payment method does not belong to your account. Reload the page and enter the card again.",
    )


REFUSED = Message(
    "billing.refused",
    "Our payment provider refused this. Reload the page and try again; contact us if it happens again.",
)
"""For requests that Stripe calls invalid. Its own words name ids and parameters."""
