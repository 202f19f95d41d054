"""Divides the claims of a long transcript into portions that a model can write from at once."""

from __future__ import annotations

from collections.abc import Sequence

from pipelines.messages.minutes import Claim, TextType

MOST_CLAIMS = {TextType.MINUTES: 60, TextType.SHORT: 60, TextType.LONG: 30, TextType.BLOG: 30}
"""Claims of one portion. Long texts get a sentence or two for each claim, which fills an answer."""


def portions(claims: Sequence[Claim], type: TextType, most_tokens: int | None) -> list[list[Claim]]:
    """The claims in order, in portions of about equal size. Without a token limit one portion holds them all."""
    if not claims:
        return []
    if most_tokens is None:
        return [list(claims)]
    needed = sum(len(claim.text.encode()) // 3 + 6 for claim in claims)
    # Claims differ in length: half of the limit leaves room for a portion of long ones.
    count = max(-(-len(claims) // MOST_CLAIMS[type]), -(-2 * needed // most_tokens))
    count = min(count, len(claims))
    return [list(claims[len(claims) * index // count : len(claims) * (index + 1) // count]) for index in range(count)]
