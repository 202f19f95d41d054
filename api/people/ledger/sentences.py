"""What the ledger says to people: why work was refused and what they can do, and what a quote means."""

from __future__ import annotations

from api.people.ledger.amounts import day, minutes, money
from api.people.ledger.balances import Balance
from api.people.ledger.prices import cents_of
from cluster.wording.message import Message

NO_PLAN = Message("ledger.no_plan", "There is no plan that pays for this.")
CHOOSE_PLAN = Message("ledger.choose_plan", "Choose a plan to go on.")
ASK_FOR_PLAN = Message("ledger.ask_for_plan", "Ask the person who pays for your team to choose one.")


def refusal(needed: int, balance: Balance, *, is_payer: bool, is_begun: bool = True) -> str:
    """Why `needed` seconds do not fit, and what to do. `is_begun` is false for a quote."""
    if not balance.grants and not balance.limits.seconds_per_month:
        return f"{NO_PLAN} {CHOOSE_PLAN if is_payer else ASK_FOR_PLAN}"
    left = minutes(balance.available or 0)
    included = minutes(balance.included or 0)
    whose = "your" if is_payer else "your team's"
    shortage = Message(
        "ledger.needs_left",
        "This needs {needed}, and {left} of {whose} {included} are left.",
        needed=minutes(needed, up=True),
        left=left,
        whose=whose,
        included=included,
    )
    return f"{shortage} {_advice(balance, is_payer, is_begun)}"


def _advice(balance: Balance, is_payer: bool, is_begun: bool) -> str:
    """The ways out, as one sentence."""
    ways = []
    if is_payer:
        ways.append("choose a larger plan")
        if balance.extra.price_minute > 0:
            ways.append(
                "raise your limit for extra minutes"
                if balance.extra.is_allowed
                else f"allow extra minutes at {money(balance.extra.price_minute)} each"
            )
    else:
        ways.append("ask the person who pays for your team for more minutes")
    if balance.renews_at is not None:
        ways.append(f"wait until {day(balance.renews_at)}, when new minutes come")
    first, *others = ways
    sentence = ", ".join([first, *others[:-1]]) + (f" or {others[-1]}" if others else "")
    return f"{sentence[0].upper()}{sentence[1:]}{', then start it again.' if is_begun else '.'}"


def quote_sentence(needed: int, from_grants: int, balance: Balance) -> str:
    """What work that fits will use. `from_grants` seconds are included, the rest is extra."""
    amount = minutes(needed, up=True)
    if balance.available is None or balance.included is None:
        return Message("ledger.plan_no_limit", "{amount}. Your plan has no limit.", amount=amount)
    after = minutes(balance.available - from_grants)
    if needed == from_grants:
        return Message(
            "ledger.will_left_plan_does_not",
            "{amount} of your {included}; {after} will be left. Your plan does not change.",
            amount=amount,
            included=minutes(balance.included),
            after=after,
        )
    extra = needed - from_grants
    cost = money(cents_of(extra * balance.extra.price_minute))
    return Message(
        "ledger.left_plan_extra_cost",
        "{amount}: {included} are left in your plan, and {extra} extra cost {cost}.",
        amount=amount,
        included=minutes(from_grants),
        extra=minutes(extra, up=True),
        cost=cost,
    )
