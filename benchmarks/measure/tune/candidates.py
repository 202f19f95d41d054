"""What `tune` may change, and every combination of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from cluster.resources import cores
from serve.tasks.transcription.profile import TranscriptionProfile

NAMES = {
    "max_batch": "batch",
    "batch_wait_ms": "wait",
    "workers": "workers",
    "threads": "threads",
    "beam_size": "beams",
    "compute_type": "",
}
"""Fields of the speech section with their words in names of combinations."""
UNCHANGED = "the profile as it is"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Changes of the profile's speech section, by field; none for the profile as it is."""

    changes: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        words = [f"{NAMES[field]} {value}".strip() for field, value in self.changes]
        return ", ".join(words) or UNCHANGED


def combinations(profile: TranscriptionProfile, axes: Mapping[str, Sequence[Any]]) -> list[Candidate]:
    """The profile as it is, then every other combination of the values of each field.

    Combinations with more threads than cores are left out: they only take turns.
    """
    fields = [field for field in NAMES if axes.get(field)]
    candidates = [Candidate()]
    for values in product(*(dict.fromkeys(axes[field]) for field in fields)):
        changes = tuple((field, value) for field, value in zip(fields, values, strict=True))
        chosen = profile.model_copy(update=dict(changes))
        is_new = any(getattr(profile, field) != value for field, value in changes)
        if is_new and (chosen.device != "cpu" or _threads(chosen) <= cores() or _threads(chosen) <= _threads(profile)):
            candidates.append(Candidate(changes))
    return candidates


def usual_axes(profile: TranscriptionProfile) -> dict[str, Sequence[Any]]:
    """Values worth a try where nobody named any. Beams and number formats change the text, so they stay as they are."""
    if profile.device == "cuda":
        return {"max_batch": (16, 32, 64, 128), "batch_wait_ms": (0, 30), "workers": (1, 2, 4)}
    every = cores()
    return {
        "max_batch": (1, 4, 8, 16),
        "batch_wait_ms": (0, 20),
        "workers": sorted({1, max(1, every // 2), every}),
        "threads": sorted({1, 2, max(1, every // 2)}),
    }


def _threads(profile: TranscriptionProfile) -> int:
    return (profile.workers or cores()) * profile.threads
