"""6. What is used of a quota is the sum of what was charged, and dead jobs hold nothing."""

from __future__ import annotations

from soak.durability.evidence import Evidence
from soak.durability.invariants.later import nothing_there
from soak.durability.invariants.verdict import Verdict

WORDS = ("quota", "quotas", "usage", "usages", "reservation", "reservations", "charge", "charges", "charged")


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(6, "quota used is the sum of settled charges; nothing stays reserved")
    return nothing_there(verdict, evidence, WORDS, "quotas and charges")
