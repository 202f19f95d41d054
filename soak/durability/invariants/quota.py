"""6. A quota's usage is the sum of its charges, and dead jobs reserve nothing."""

from __future__ import annotations

from soak.durability.evidence import Evidence
from soak.durability.invariants.verdict import Verdict


def judge(evidence: Evidence) -> Verdict:
    """What the ledger's own invariants found while the evidence was gathered."""
    verdict = Verdict(6, "quota used is the sum of settled charges; nothing stays reserved")
    verdict.checked = len(evidence.tables.get("ledger_grants", ())) + len(evidence.tables.get("ledger_movements", ()))
    for sentence in evidence.ledger:
        verdict.expect(False, sentence)
    return verdict
