"""The result of one invariant."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Verdict:
    """`checked` counts the things judged; `missing` names parts that nobody in the run does."""

    number: int
    title: str
    checked: int = 0
    violations: list[str] = field(default_factory=list)
    missing: str = ""

    def expect(self, holds: bool, sentence: str) -> bool:
        """Count one check; `sentence` describes the violation if it fails."""
        self.checked += 1
        if not holds:
            self.violations.append(sentence)
        return holds

    @property
    def words(self) -> str:
        """`kept`, `BROKEN`, or a note that there was nothing to check."""
        if self.violations:
            return "BROKEN"
        return "kept" if self.checked else "nothing to judge"
