"""Ways to cut speech into lines: naive filling, the cut without language and profile, and the product's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipelines.captions.line_builder import lines_from_words
from pipelines.captions.quality.profile import QualityProfile
from pipelines.captions.texts.text import join_words
from pipelines.messages.caption_rules import DEFAULT_RULES
from pipelines.messages.lines import CaptionLine, CaptionWord

Cutter = Callable[[Sequence[CaptionWord], QualityProfile, str], list[CaptionLine]]


def naive(words: Sequence[CaptionWord], profile: QualityProfile, _language: str) -> list[CaptionLine]:
    """Fill rows to the limit and lines to their rows, as simple converters do; a pause of a second ends a line."""
    lines: list[CaptionLine] = []
    rows: list[list[CaptionWord]] = []

    def close() -> None:
        spoken = [word for row in rows for word in row]
        text = "\n".join(join_words([word.text for word in row]) for row in rows)
        lines.append(CaptionLine(str(len(lines)), spoken[0].start_ms, spoken[-1].end_ms, text, tuple(spoken)))
        rows.clear()

    for word in words:
        if rows and word.start_ms - rows[-1][-1].end_ms >= DEFAULT_RULES.pause_ms:
            close()
        if rows and len(join_words([each.text for each in [*rows[-1], word]])) <= profile.max_row:
            rows[-1].append(word)
            continue
        if len(rows) == profile.max_rows:
            close()
        rows.append([word])
    if rows:
        close()
    return lines


def before(words: Sequence[CaptionWord], _profile: QualityProfile, _language: str) -> list[CaptionLine]:
    """One set of rules for all, with the function words of all languages."""
    return lines_from_words(words, DEFAULT_RULES)


def after(words: Sequence[CaptionWord], profile: QualityProfile, language: str) -> list[CaptionLine]:
    """By the profile, with the grammar of the language."""
    return lines_from_words(words, profile.rules(25.0), language)


CUTTERS: dict[str, Cutter] = {"naive": naive, "before": before, "after": after}
