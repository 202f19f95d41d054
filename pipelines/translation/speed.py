"""How long a caption takes to read, and the length its time allows.

Characters are counted as readers see them, so combining marks and direction marks of right-to-left text do not count.
Rules by language say how many a row holds and how fast they are read: `rules_for` allows 9 Chinese characters a second.
"""

from __future__ import annotations

from collections.abc import Iterable

from pipelines.captions.texts.text import visible_length
from pipelines.messages.caption_rules import DEFAULT_RULES, CaptionRules, rules_for
from pipelines.messages.translate import SourceLine, TranslateRequest

_BUDGET_MIN = 12
"""Characters that every passage may have: a model that is told to use five returns garbage."""


def target_rules(request: TranslateRequest) -> CaptionRules:
    """The rules of the request, or those of the target language where the request has the usual ones."""
    is_usual = request.caption_rules == DEFAULT_RULES
    return rules_for(request.target_language) if is_usual else request.caption_rules


def length_budget(duration_ms: int, rules: CaptionRules) -> int:
    """The most characters a line of this duration can hold: by reading speed and by rows."""
    return max(0, min(rules.max_length, int(rules.max_speed * duration_ms / 1000)))


def is_too_long(text: str, duration_ms: int, rules: CaptionRules) -> bool:
    return visible_length(text) > length_budget(duration_ms, rules)


def passage_budget(lines: Iterable[SourceLine], rules: CaptionRules, share: float = 1.0) -> int:
    """The length budget of a passage over `lines` in characters. `share` is its part of those lines, 0 to 1."""
    whole = sum(length_budget(line.end_ms - line.start_ms, rules) for line in lines)
    return max(_BUDGET_MIN, int(whole * share))
