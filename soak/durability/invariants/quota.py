"""6. A quota's usage is the sum of its charges, and dead jobs reserve nothing."""

from __future__ import annotations

from soak.durability.evidence import Evidence
from soak.durability.invariants.later import nothing_there
from soak.durability.invariants.verdict import Verdict

WORDS = ("quota", "quotas", "usage", "usages", "reservation", "reservations", "charge", "charges", "charged")


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(6, "quota used is the sum of settled charges; nothing stays reserved")
    return nothing_there(verdict, evidence, WORDS, "quotas and charges")
