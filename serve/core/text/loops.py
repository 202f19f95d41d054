"""Detects a model that repeats itself."""

from __future__ import annotations

from collections.abc import Sequence

MAX_LOOP_WORDS = 6
"""Longest phrase that is searched for repetitions."""
MIN_LOOP_ROUNDS = 4
"""People say a phrase three times in a row ("no, no, no"); a fourth repetition is most likely the model's."""


def has_loop(words: Sequence[str]) -> bool:
    """Whether a phrase of 1 to `MAX_LOOP_WORDS` words occurs `MIN_LOOP_ROUNDS` times in a row."""
    spoken = [word.casefold().strip(".,!?…;:") for word in words]
    for size in range(1, MAX_LOOP_WORDS + 1):
        same = 0
        for index in range(size, len(spoken)):
            same = same + 1 if spoken[index] == spoken[index - size] else 0
            if same >= size * (MIN_LOOP_ROUNDS - 1):
                return True
    return False
