"""7. Subscriptions and invoices match the payment provider's, in whatever order webhooks arrived."""

from __future__ import annotations

from soak.durability.evidence import Evidence
from soak.durability.invariants.later import nothing_there
from soak.durability.invariants.verdict import Verdict

WORDS = ("subscription", "subscriptions", "invoice", "invoices", "webhook", "webhooks", "stripe")


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(7, "subscriptions and invoices equal the provider's")
    return nothing_there(verdict, evidence, WORDS, "subscriptions, invoices and webhooks")
