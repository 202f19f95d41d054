"""Choose one of a model's hypotheses: the most probable that fits its time and loses nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipelines.translation.checks import Losses
from pipelines.translation.recut import Row
from pipelines.translation.usable import cleaned, is_usable
from serve.tasks.translation.messages import Translated

Attention = tuple[tuple[float, ...], ...]

# In nats per token: how much less probable a hypothesis may be to be preferred for what it keeps. The four best of a
# beam usually lie within 0.3 of each other, so a lost number always counts and a caption that is too long often does.
_NUMBER = 2.0
_TAG = 1.0
_TERM = 1.0
_NAME = 0.7
_TOO_LONG = 0.5
_BY_RANK = 0.05
"""For each rank of a hypothesis without a probability."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A usable hypothesis as one clean row of text, and as the rows of its cues."""

    text: str
    rows: tuple[Row, ...]
    log_probability: float | None
    is_fallback: bool
    losses: Losses
    is_too_long: bool

    @property
    def wants_revision(self) -> bool:
        """Whether a model that can correct a draft should try."""
        return bool(self.losses) or self.is_too_long


def candidates(
    translated: Translated,
    source: str,
    losses_of: Callable[[str], Losses],
    cut: Callable[[str, Attention], tuple[Row, ...]],
    is_too_long: Callable[[tuple[Row, ...]], bool],
) -> list[Candidate]:
    """The usable hypotheses, best first. One without losses that fits ends the search: none after it can be better."""
    usable: list[Candidate] = []
    for hypothesis in translated.hypotheses:
        text = cleaned(hypothesis.text)
        # A fallback that repeats the source says that no engine could translate it.
        if not is_usable(text, source) or (translated.is_fallback and text == source):
            continue
        # Cleaning may have removed a word, such as a control character.
        rows = cut(text, hypothesis.attention if len(hypothesis.attention) == len(text.split()) else ())
        candidate = Candidate(
            text, rows, hypothesis.log_probability, translated.is_fallback, losses_of(text), is_too_long(rows)
        )
        usable.append(candidate)
        if not candidate.wants_revision:
            break
    return usable


def best_of(usable: Sequence[Candidate]) -> Candidate | None:
    """The candidate with the least cost, in nats per token; the earlier one of equals."""
    known = [each.log_probability for each in usable if each.log_probability is not None]
    top = max(known, default=0.0)

    def cost(item: tuple[int, Candidate]) -> float:
        rank, each = item
        improbable = top - each.log_probability if each.log_probability is not None else rank * _BY_RANK
        losses = each.losses
        return (
            improbable
            + _NUMBER * len(losses.numbers)
            + _TAG * len(losses.tags)
            + _TERM * len(losses.terms)
            + _NAME * len(losses.names)
            + _TOO_LONG * each.is_too_long
        )

    return min(enumerate(usable), key=cost)[1] if usable else None
