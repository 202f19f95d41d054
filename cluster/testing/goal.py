"""A goal: its required and its stretch value, and whether a measurement meets them."""

from __future__ import annotations

from dataclasses import dataclass

RATIO = "x"


@dataclass(frozen=True, slots=True)
class Goal:
    """`at_most`: lower is better."""

    name: str
    required: float
    stretch: float
    at_most: bool = False
    unit: str = RATIO

    def meets(self, value: float, bound: float) -> bool:
        return value <= bound if self.at_most else value >= bound

    def verdict(self, value: float) -> str:
        """`stretch`, `met` or `short`."""
        if self.meets(value, self.stretch):
            return "stretch"
        return "met" if self.meets(value, self.required) else "short"
