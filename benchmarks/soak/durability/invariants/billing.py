"""7. Subscriptions and invoices are those of the payment provider, in whatever order its events arrived."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from api.people.billing.models import ChangeState, InvoiceSource, InvoiceState
from benchmarks.soak.durability.evidence import Evidence
from benchmarks.soak.durability.invariants import charges
from benchmarks.soak.durability.invariants.verdict import Verdict


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(7, "subscriptions, invoices and grants are those of the payment provider, each once")
    owner = {row["customer_id"]: row["user_id"] for row in evidence.tables["billing_accounts"]}
    _judge_subscriptions(verdict, evidence, owner)
    _judge_invoices(verdict, evidence, owner)
    for change in evidence.tables["billing_changes"]:
        verdict.expect(change["state"] != ChangeState.OPEN, f"Change {change['id']} ({change['kind']}) has not ended.")
    handled = {row["id"] for row in evidence.tables["billing_events"] if row["handled_at"] is not None}
    for event in evidence.shop.get("event", []):
        verdict.expect(event["id"] in handled, f"Event {event['id']} ({event['type']}) was delivered and not handled.")
    charges.judge(verdict, evidence, owner)
    return verdict


def _judge_subscriptions(verdict: Verdict, evidence: Evidence, owner: dict[str, Any]) -> None:
    ours = {row["stripe_id"]: row for row in evidence.tables["subscriptions"]}
    theirs = {one["id"]: one for one in evidence.shop.get("subscription", [])}
    for stripe_id in ours.keys() - theirs.keys():
        verdict.expect(False, f"Subscription {stripe_id} is ours alone.")
    for stripe_id, one in theirs.items():
        row = ours.get(stripe_id)
        name = f"Subscription {stripe_id}"
        if verdict.expect(row is not None, f"{name} is the provider's alone.") and row is not None:
            item = one["items"]["data"][0]
            meta = item["price"]["metadata"]
            expected = (
                owner.get(one["customer"]),
                one["status"],
                meta["tier"],
                meta["period"],
                moment(item["current_period_end"]),
                moment(one["cancel_at"]),
            )
            found = tuple(row[name] for name in ("user_id", "status", "tier", "period", "period_end", "cancel_at"))
            verdict.expect(found == expected, f"{name} is {_words(found)} here and {_words(expected)} there.")
            verdict.expect(row["schedule_id"] == one["schedule"], f"{name} waits for a change on one side only.")


def _judge_invoices(verdict: Verdict, evidence: Evidence, owner: dict[str, Any]) -> None:
    ours = {row["stripe_id"]: row for row in evidence.tables["invoices"] if row["source"] == InvoiceSource.STRIPE}
    theirs = {bill["id"]: bill for bill in evidence.shop.get("invoice", []) if bill["status"] != InvoiceState.DRAFT}
    for stripe_id in ours.keys() - theirs.keys():
        verdict.expect(False, f"Invoice {stripe_id} is ours alone.")
    for stripe_id, bill in theirs.items():
        row = ours.get(stripe_id)
        if verdict.expect(row is not None, f"Invoice {stripe_id} is the provider's alone.") and row is not None:
            expected = (owner.get(bill["customer"]), bill["status"], bill["total"], bill["number"])
            found = tuple(row[name] for name in ("user_id", "state", "total", "number"))
            verdict.expect(
                found == expected, f"Invoice {stripe_id} is {_words(found)} here and {_words(expected)} there."
            )
    verdict.expect(
        len({row["number"] for row in ours.values()}) == len(ours), "Two invoices of the provider share a number."
    )


def moment(seconds: int | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def _words(values: tuple[Any, ...]) -> str:
    return ", ".join("none" if value is None else str(value) for value in values)
