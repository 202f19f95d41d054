"""Which finalist to recommend, if the runs can tell."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.measure.load.estimate import Estimate, mean
from benchmarks.measure.tune.candidates import Candidate


@dataclass(frozen=True, slots=True)
class Goal:
    """Latency p95 at a rate, lower is better; or, without a rate, seconds of sound a second, higher is better."""

    rate: float | None
    p95_s: float | None = None

    @property
    def unit(self) -> str:
        return "s" if self.rate is not None else "s of sound/s"

    def score(self, value: float) -> float:
        return value if self.rate is not None else -value

    def text(self) -> str:
        if self.rate is None:
            return "the most sound a second"
        bound = f" at most {self.p95_s:g} s" if self.p95_s is not None else " as low as possible"
        return f"latency p95{bound} at {self.rate:g} requests a second"


@dataclass(frozen=True, slots=True)
class Decision:
    """`recommended` is None where no combination is certainly the best; `sentence` says why."""

    recommended: Candidate | None
    sentence: str
    estimates: Mapping[Candidate, Estimate]


def decide(values: Mapping[Candidate, Sequence[float]], goal: Goal) -> Decision:
    """`values` are those of runs that are paired: run n of every finalist had the same arrivals.

    Recommends the best only where the 95 % intervals of its paired differences from all others leave out zero.
    """
    estimates = {candidate: mean(each) for candidate, each in values.items()}
    best = min(values, key=lambda candidate: goal.score(estimates[candidate].value))
    what = f"“{best.name}” reached {estimates[best].text(f' {goal.unit}')}"
    if goal.rate is not None and goal.p95_s is not None and not estimates[best].high <= goal.p95_s:
        return Decision(
            None,
            f"No recommendation: nothing certainly keeps p95 below {goal.p95_s:g} s at {goal.rate:g} requests/s. "
            f"The best, {what}. Lower the rate, add machines, or choose a smaller model.",
            estimates,
        )
    if not best.changes:
        return Decision(None, f"Keep the profile: of everything tried, nothing was better. {what}.", estimates)
    equals = [
        other.name for other in values if other != best and not _is_clearly_better(values[best], values[other], goal)
    ]
    if equals:
        return Decision(
            None,
            f"No recommendation: {what}, but its interval overlaps with {', '.join(f'“{name}”' for name in equals)}. "
            "These runs cannot tell them apart. Raise --repeats or --seconds, or try fewer values.",
            estimates,
        )
    return Decision(best, f"Recommended: {what}, better than all others beyond the noise of the runs.", estimates)


def _is_clearly_better(best: Sequence[float], other: Sequence[float], goal: Goal) -> bool:
    if all(map(math.isinf, other)):
        # It does not run at all.
        return not any(map(math.isinf, best))
    differences = [goal.score(theirs) - goal.score(ours) for ours, theirs in zip(best, other, strict=True)]
    return mean(differences).low > 0
