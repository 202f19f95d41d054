"""10. Every write of an admin, and every write while browsing as somebody, left an audit row."""

from __future__ import annotations

from benchmarks.lost.evidence import Evidence
from benchmarks.lost.invariants.later import nothing_there
from benchmarks.lost.invariants.verdict import Verdict

WORDS = ("audit", "audits", "impersonation", "browse")


def judge(evidence: Evidence) -> Verdict:
    verdict = Verdict(10, "every admin's write and every browse-as write has its audit row")
    return nothing_there(verdict, evidence, WORDS, "admin writes, browse-as and their audit rows")
