"""Refusals of billing, as sentences."""

from __future__ import annotations

from api.platform.http.errors import ApiError, Conflict, Invalid, Unavailable


class PaymentsAway(Unavailable):
    """Stripe did not answer. Whether it has done what we asked is unknown until the call is repeated."""

    message = "Our payment provider cannot be reached right now. You were not charged twice; try again in a moment."


class PaymentsNotSetUp(Unavailable):
    message = "Payments are not set up on this installation yet. Ask its administrator."


class CardRefused(ApiError):
    status_code = 402
    code = "card_refused"
    message = "Your card was declined. Use another card, or ask your bank."


class ChangeUnderWay(Conflict):
    code = "change_under_way"
    message = "Another change of your subscription is under way. Wait a minute and reload the page."


class AmountChanged(Conflict):
    code = "amount_changed"
    message = "The amount has changed since it was shown. Nothing was charged; look at the new amount and confirm it."


class AlreadySubscribed(Conflict):
    code = "already_subscribed"
    message = "You already have a subscription. Change it on the page Subscription."


class NoSubscription(Conflict):
    code = "no_subscription"
    message = "You have no subscription that can be changed. Choose a plan first."


class NothingDue(Conflict):
    code = "nothing_due"
    message = "Nothing has to be paid. Reload the page to see how things stand."


class BadSignature(ApiError):
    message = "The signature of this event is not valid."


class BadEvent(ApiError):
    message = "This is no event that we can read. Send it as Stripe writes it."


class NotYours(Invalid):
    message = "This payment method does not belong to your account. Reload the page and enter the card again."


REFUSED = "Our payment provider refused this. Reload the page and try again; contact us if it happens again."
"""For requests that Stripe calls invalid. Its own words name ids and parameters."""
