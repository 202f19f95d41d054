"""Stripe's test cards, and what happens to payments with them."""

from __future__ import annotations

from enum import StrEnum

from api.testing.stripe.world import Refused, Thing, World

DECLINED = "Your card was declined."


class Behaviour(StrEnum):
    PAYS = "pays"
    ASKS = "asks"
    """The bank wants to authenticate the customer, for each payment."""
    FAILS = "fails"
    """Can be saved, but payments fail."""
    REFUSED = "refused"
    """Cannot even be saved."""


CARDS = {
    "4242424242424242": ("visa", Behaviour.PAYS),
    "5555555555554444": ("mastercard", Behaviour.PAYS),
    "4000000000003220": ("visa", Behaviour.ASKS),
    "4000000000000341": ("visa", Behaviour.FAILS),
    "4000000000000002": ("visa", Behaviour.REFUSED),
}


def new_method(world: World, number: str, month: int = 12, year: int = 2034) -> Thing:
    """A payment method for a card number. Raises `Refused` for numbers that are no test cards."""
    digits = "".join(letter for letter in number if letter.isdigit())
    if digits not in CARDS:
        raise Refused(402, "Your card number is invalid.", kind="card_error", code="incorrect_number")
    brand, behaviour = CARDS[digits]
    if behaviour is Behaviour.REFUSED:
        raise Refused(402, DECLINED, kind="card_error", code="card_declined")
    card = {"brand": brand, "last4": digits[-4:], "exp_month": month, "exp_year": year, "funding": "credit"}
    return world.add("pm", "payment_method", type="card", customer=None, card=card, _behaviour=behaviour)
