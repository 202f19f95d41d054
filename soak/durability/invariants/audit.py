"""10. Every write by an admin, and every write while browsing as somebody, left an audit row."""

from __future__ import annotations

from soak.durability.evidence import Evidence
from soak.durability.invariants.later import nothing_there
from soak.durability.invariants.verdict import Verdict

WORDS = ("audit", "audits", "impersonation", "browse")


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(10, "every admin's write and every browse-as write has its audit row")
    return nothing_there(verdict, evidence, WORDS, "admin writes, browse-as and their audit rows")
