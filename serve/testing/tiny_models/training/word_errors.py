"""Word error rate: words added, removed or replaced, per spoken word."""

from __future__ import annotations

import re


def word_error_rate(said: str, recognized: str) -> float:
    """Edits between the word lists per spoken word; case and punctuation do not count."""
    reference, answer = _words(said), _words(recognized)
    costs = list(range(len(answer) + 1))
    for row, word in enumerate(reference, 1):
        diagonal, costs[0] = costs[0], row
        for column, other in enumerate(answer, 1):
            replaced = diagonal + (word != other)
            diagonal = costs[column]
            costs[column] = min(replaced, costs[column] + 1, costs[column - 1] + 1)
    return costs[-1] / max(1, len(reference))


def _words(text: str) -> list[str]:
    return re.findall(r"[\w']+", text.lower())
