"""Nobody pays twice, and what is paid brings its minutes once: part of the invariant on payments."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from api.people.billing.grants.minutes import months_of
from api.people.billing.models import InvoiceState
from api.people.billing.schemas import InvoiceLine
from api.people.plans.minutes import GrantSource
from api.people.plans.models import COUNTING
from benchmarks.soak.durability.evidence import Evidence, Row
from benchmarks.soak.durability.invariants.verdict import Verdict
from benchmarks.soak.durability.journal import Event

ACT_OF = {"subscription_create": "buy", "subscription_update": "change"}
"""What somebody must have asked for before an invoice with this reason is paid."""


def judge(verdict: Verdict, evidence: Evidence, owner: dict[str, Any]) -> None:
    _judge_one_at_a_time(verdict, evidence)
    _judge_reasons(verdict, evidence, owner)
    _judge_grants(verdict, evidence)


def _judge_one_at_a_time(verdict: Verdict, evidence: Evidence) -> None:
    """A customer has one subscription that counts, and each invoice was collected by one payment at most."""
    counting = Counter(one["customer"] for one in evidence.shop.get("subscription", []) if one["status"] in COUNTING)
    for customer, count in counting.items():
        verdict.expect(count == 1, f"Customer {customer} pays for {count} subscriptions.")
    paid: Counter[str] = Counter()
    for bill in evidence.shop.get("invoice", []):
        paid[bill["customer"]] += bill["amount_paid"]
    collected: Counter[str] = Counter()
    for payment in evidence.shop.get("payment_intent", []):
        if payment["status"] == "succeeded":
            collected[payment["customer"]] += payment["amount"]
    for customer in paid.keys() | collected.keys():
        verdict.expect(
            paid[customer] == collected[customer],
            f"Customer {customer} was charged {collected[customer]} cents for invoices of {paid[customer]}.",
        )


def _judge_reasons(verdict: Verdict, evidence: Evidence, owner: dict[str, Any]) -> None:
    """Each paid invoice has its own act: a repeat after a lost answer buys nothing again."""
    acts = Counter((entry["user_id"], entry["act"]) for entry in evidence.entries_of(Event.PLAN_ASKED))
    bought = Counter(
        (str(owner.get(bill["customer"])), ACT_OF[bill["billing_reason"]])
        for bill in evidence.shop.get("invoice", [])
        if bill["status"] == InvoiceState.PAID and bill["billing_reason"] in ACT_OF
    )
    for (user_id, act), count in bought.items():
        asked = acts[user_id, act]
        verdict.expect(count <= asked, f"User {user_id} asked {asked} times to {act} and paid {count} times.")


def _judge_grants(verdict: Verdict, evidence: Evidence) -> None:
    """A paid invoice brings its first month once. Later months of a year begin after the run."""
    given: dict[str, list[Row]] = defaultdict(list)
    for grant in evidence.tables["ledger_grants"]:
        if grant["source"] == GrantSource.PLAN:
            given[grant["key"].split(":")[1]].append(grant)
    paid = {row["stripe_id"]: row for row in evidence.tables["invoices"] if row["state"] == InvoiceState.PAID}
    for stripe_id in given.keys() - paid.keys():
        verdict.expect(False, f"Invoice {stripe_id} brought minutes and is not paid.")
    for stripe_id, row in paid.items():
        months = months_of([InvoiceLine.model_validate(line) for line in row["lines"]])[:1]
        expected = [(row["user_id"], month.seconds) for month in months]
        found = [(grant["payer_id"], grant["seconds"]) for grant in given[stripe_id]]
        verdict.expect(
            found == expected,
            f"Invoice {stripe_id} brought {[seconds for _, seconds in found]} s, not "
            f"{[seconds for _, seconds in expected]}.",
        )
