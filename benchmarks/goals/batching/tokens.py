"""Both sides must write equally much text, or their times cannot be compared."""

from __future__ import annotations

MAX_DIFFERENCE = 0.02


class UnequalWork(RuntimeError):
    """One side decoded so much more text that the result is worthless."""


class Counted:
    """The text tokens of each side, summed over all runs."""

    def __init__(self) -> None:
        self.ours = self.theirs = 0

    def check(self) -> dict[str, int]:
        """Values for the report. Raises UnequalWork."""
        if abs(self.ours - self.theirs) > MAX_DIFFERENCE * max(self.ours, self.theirs):
            raise UnequalWork(f"Our side decoded {self.ours} tokens and the other {self.theirs}.")
        return {"our_tokens": self.ours, "their_tokens": self.theirs}
