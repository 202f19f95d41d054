"""Invariants about parts that the product lacks: they fail once tables for these appear, until they judge them."""

from __future__ import annotations

from soak.durability.evidence import Evidence
from soak.durability.invariants.verdict import Verdict


def nothing_there(verdict: Verdict, evidence: Evidence, words: tuple[str, ...], what: str) -> Verdict:
    """Fail for each table or column whose name contains one of `words`; report `what` as missing if there is none."""
    found = [
        name
        for table, rows in evidence.tables.items()
        for name in (table, *(f"{table}.{column}" for column in (rows[0] if rows else ())))
        if any(word in name.rpartition(".")[2].split("_") for word in words)
    ]
    for name in found:
        verdict.expect(False, f"The product has {name} now, and nothing here judges it: write this invariant.")
    if not found:
        verdict.missing = what
    return verdict
