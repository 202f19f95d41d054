"""What an invariant found."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Verdict:
    """`checked` counts what was looked at; `missing` says what of the invariant the product does not have yet."""

    number: int
    title: str
    checked: int = 0
    violations: list[str] = field(default_factory=list)
    missing: str = ""

    def expect(self, holds: bool, sentence: str) -> bool:
        """Count one thing; `sentence` says what is wrong when it does not hold."""
        self.checked += 1
        if not holds:
            self.violations.append(sentence)
        return holds

    @property
    def words(self) -> str:
        """`kept`, `BROKEN`, or that there was nothing to look at."""
        if self.violations:
            return "BROKEN"
        if self.checked == 0:
            return "not in the product yet" if self.missing else "nothing to judge"
        return "kept"
