"""What the ledger says to people: why work was refused and what they can do, and what a quote means."""

from __future__ import annotations

from api.people.ledger.amounts import minutes, money
from api.people.ledger.balances import Balance
from api.people.ledger.prices import cents_of
from api.people.plans.tiers import PlanTier
from cluster.sentences import paragraph
from cluster.wording.message import Message, Wording

NO_PLAN = Message("ledger.no_plan", "There is no plan that pays for this.")
CHOOSE_PLAN = Message("ledger.choose_plan", "Choose a plan to go on.")
ASK_FOR_PLAN = Message("ledger.ask_for_plan", "Ask the person who pays for your team to choose one.")


_CHOOSE = Message("ledger.way_choose", "Choose a plan")
_LARGER = Message("ledger.way_larger", "Choose a larger plan")
_ASK = Message("ledger.way_ask", "Ask the person who pays for your team for more minutes")
_RAISE = Message("ledger.way_raise", "raise your limit for extra minutes")
_ALLOW = Wording("ledger.way_allow", "allow extra minutes at {price} each")
_WAIT = Wording("ledger.way_wait", "wait until {day}, when new minutes come")
_WAYS = (
    Wording("ledger.ways_one", "{first}."),
    Wording("ledger.ways_two", "{first} or {second}."),
    Wording("ledger.ways_three", "{first}, {second} or {third}."),
)
"""By the number of ways out."""
_WAYS_BEGUN = (
    Wording("ledger.ways_one_begun", "{first}, then start it again."),
    Wording("ledger.ways_two_begun", "{first} or {second}, then start it again."),
    Wording("ledger.ways_three_begun", "{first}, {second} or {third}, then start it again."),
)
_NEEDS_YOURS = Wording("ledger.needs_yours", "This needs {needed}, and {left} of your {included} are left.")
_NEEDS_TEAMS = Wording("ledger.needs_teams", "This needs {needed}, and {left} of your team's {included} are left.")


def refusal(needed: int, balance: Balance, *, is_payer: bool, is_begun: bool = True) -> str:
    """Why `needed` seconds do not fit, and what to do. `is_begun` is false for a quote."""
    if not balance.grants and not balance.limits.seconds_per_month:
        return paragraph(NO_PLAN, CHOOSE_PLAN if is_payer else ASK_FOR_PLAN)
    shortage = (_NEEDS_YOURS if is_payer else _NEEDS_TEAMS)(
        needed=minutes(needed, up=True), left=minutes(balance.available or 0), included=minutes(balance.included or 0)
    )
    return paragraph(shortage, _advice(balance, is_payer, is_begun))


def _advice(balance: Balance, is_payer: bool, is_begun: bool) -> str:
    """The ways out, as one sentence."""
    first = _CHOOSE if balance.limits.tier is PlanTier.NONE else _LARGER
    ways = [first if is_payer else _ASK]
    if is_payer and balance.extra.price_minute > 0:
        ways.append(_RAISE if balance.extra.is_allowed else _ALLOW(price=money(balance.extra.price_minute)))
    if balance.renews_at is not None:
        ways.append(_WAIT(day=balance.renews_at.date()))
    wording = (_WAYS_BEGUN if is_begun else _WAYS)[len(ways) - 1]
    return wording(**dict(zip(("first", "second", "third"), ways, strict=False)))


def quote_sentence(needed: int, from_grants: int, balance: Balance) -> str:
    """What work that fits will use. `from_grants` seconds are included, the rest is extra."""
    amount = minutes(needed, up=True)
    if balance.available is None or balance.included is None:
        return Message("ledger.plan_no_limit", "{amount}. Your plan has no limit.", amount=amount)
    after = minutes(balance.available - from_grants)
    if needed == from_grants:
        return Message(
            "ledger.left_without_renewal",
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
