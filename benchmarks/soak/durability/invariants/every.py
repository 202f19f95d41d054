"""All ten invariants, in order."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.soak.durability.evidence import Evidence
from benchmarks.soak.durability.invariants import (
    audit,
    billing,
    captions,
    deletion,
    jobs,
    leftovers,
    pages,
    quota,
    transitions,
    uploads,
)
from benchmarks.soak.durability.invariants.verdict import Verdict

JUDGES: tuple[Callable[[Evidence], Verdict], ...] = (
    uploads.judge,
    captions.judge,
    jobs.judge,
    leftovers.judge,
    transitions.judge,
    quota.judge,
    billing.judge,
    pages.judge,
    deletion.judge,
    audit.judge,
)


def judge_all(evidence: Evidence) -> list[Verdict]:
    return [judge(evidence) for judge in JUDGES]
