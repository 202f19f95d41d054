"""Generated captions that break rules in many ways, for tests of the quality rules."""

from __future__ import annotations

import random
from itertools import pairwise

from pipelines.captions.quality.findings import Circumstances
from pipelines.captions.quality.profile import built_in_profiles
from pipelines.captions.texts.text import clean_text, word_units
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, Origin

_WORDS = [
    *("the", "quick", "Brown", "fox,", "jumps.", "over", "and", "to", "Straße", "þæö", "og", "til", "3", "12", "Room"),
    *("<i>so</i>", "<i>open", "{\\an8}up", "*sigh*", "what?", "word ,", "-", "- Yes", "JOHN:", "[Anna]", "(door)"),
    *("今日は", "いい天気", "👩‍👩‍👧", "🇮🇸", "สวัสดี", "مرحبا", "हिन्दी", "extraordinarily", "e\u0301t", "♪"),
    *("「いい", "天気」", "ちょっと", "ー」", "（はい", "ไปเที่ยว", "เ", "ำา", "ខ្ញុំ", "្ញុំ", "မြန်မာ", "क्षत्रिय", "\u093eक"),
    *("👍🏽", "🏽", "\u200d👧", "\u1112\u1161\u11ab", "か\u3099", "葛\U000e0100", "ﾊﾟﾝ", "10\u00a0km", "。"),
]
_ROW_STARTS = ["", "", "", "- ", "-", "– ", "[Anna] ", "JOHN: ", "(Anna) "]


def judged_lines(chance: random.Random) -> list[CaptionLine]:
    """A few lines in time order, in one lane or two, rarely overlapping in one, with measured words or without."""
    lines: list[CaptionLine] = []
    now = chance.randint(0, 3_000)
    has_signs = chance.random() < 0.3
    free = {True: 0, False: 0}
    for number in range(chance.randint(1, 7)):
        place = LinePlace(8) if has_signs and chance.random() < 0.4 else None
        rows = [_row(chance) for _ in range(chance.choice([1, 1, 2, 2, 2, 3, 4]))]
        text = clean_text("\n".join(rows)) if chance.random() < 0.8 else "\n".join(rows)
        if has_signs and chance.random() < 0.5:
            # On screen together with what stands elsewhere.
            now = max(free[place is None], now - 3_000, lines[-1].start_ms + 1 if lines else 0)
        start = now
        end = start + chance.choice([200, 700, 900, 1_500, 2_500, 4_000, 7_500, 12_000]) + chance.randint(0, 300)
        lines.append(CaptionLine(f"line-{number}", start, end, text, _words(chance, text, start, end), place=place))
        gap = chance.choice([-40, 0, 10, 80, 100, 150, 300, 700, 1_500, 3_000])
        free[place is None] = end + gap
        now = max(start + 1, end + gap)
    for before, after in pairwise(lines):
        assert before.start_ms < after.start_ms
    return lines


def _row(chance: random.Random) -> str:
    parts = [chance.choice(_WORDS) for _ in range(chance.choice([0, 1, 3, 6, 9]))]
    return chance.choice(_ROW_STARTS) + chance.choice([" ", " ", " ", "  ", "\u00a0"]).join(parts)


def _words(chance: random.Random, text: str, start: int, end: int) -> tuple[CaptionWord, ...]:
    units = word_units(text)
    off = chance.choice([0, 0, 60, 200, -150, 2_000])
    measured = chance.random() < 0.7
    room = max(1, (end - start) * chance.choice([50, 90, 100, 110]) // 100)
    return tuple(
        CaptionWord(
            max(0, start + off + room * index // len(units)),
            max(0, start + off + room * (index + 1) // len(units)),
            unit,
            Origin.ASR,
            0.9 if measured else None,
        )
        for index, unit in enumerate(units)
    )


def judged_under(chance: random.Random) -> Circumstances:
    """A profile with a language, shot changes and a frame rate."""
    cuts = sorted({chance.randint(0, 40_000) for _ in range(chance.choice([0, 4, 20]))})
    profile = chance.choice(list(built_in_profiles().values()))
    language = chance.choice([*profile.languages, "en-US", "is-IS", "de-DE", "fi-FI"])
    undrawable = frozenset(chance.choice(["", "", "今", "♪"]))
    return Circumstances(profile, language, cuts, chance.choice([None, 24.0, 25.0, 29.97]), undrawable)
