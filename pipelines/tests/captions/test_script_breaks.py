"""Rows and lines break only where the script of the text allows it, on generated text of many scripts."""

import random
from itertools import pairwise

import pytest
from icu4py.breakers import CharacterBreaker

from pipelines.captions.edits.edit import EditRefused, split_at
from pipelines.captions.limits import LINE_CHARS_MAX
from pipelines.captions.line_builder import lines_from_words
from pipelines.captions.quality.findings import Circumstances, Rule
from pipelines.captions.quality.fixes import fix_all
from pipelines.captions.quality.profile import built_in_profiles
from pipelines.captions.quality.rules import find_all
from pipelines.captions.reading.fit import split_long
from pipelines.captions.texts.break_points import wrap_text
from pipelines.captions.texts.marks import forbidden_break
from pipelines.captions.texts.measure import half_widths
from pipelines.captions.texts.text import visible_length, without_space, word_units
from pipelines.messages.caption_rules import DEFAULT_RULES, rules_for
from pipelines.messages.lines import CaptionLine, CaptionWord, Origin

TEXTS = {
    "ja": [
        *(
            "今日は",
            "「いい天気」",
            "ですね。",
            "ちょっと",
            "コーヒーを",
            "飲みましょう。",
            "（本当に）",
            "AI",
            "は",
            "人々…",
            "か\u3099",
        ),
        *("葛\U000e0100城", "って", "？！"),
    ],
    "zh": ["我们今天", "去", "《北京》", "大学图书馆", "看书，", "你来吗？", "“好的。”", "3G", "网络", "……"],
    "th": ["สวัสดีครับ", "วันนี้", "อากาศดีมาก ", "เราไปเที่ยว", "ทะเล", "ต่างๆ ", "กันเถอะ", "น้ำ"],
    "km": ["ខ្ញុំ", "ស្រលាញ់", "ភាសាខ្មែរ", "ណាស់។ "],
    "my": ["မြန်မာ", "ဘာသာ", "စကား", "ကို ", "ပြောတယ်။ "],
    "hi": ["क्षत्रिय ", "कृपया ", "हिन्दी ", "में ", "बोलिए। ", "शुभ ", "प्रभात "],
    "ar": ["مرحبا ", "بِكُمْ ", "في ", "المدينة، ", "هل ", "أنتم ", "هنا؟ "],
    "ko": ["오늘은 ", "\u1112\u1161\u11ab국어 ", "날씨가 ", "좋습니다. ", "(정말) "],
    "fr": ["10\u00a0000 ", "personnes ", "sont ", "venues ; ", "et ", "vous ? ", "« oui » ", "non ! "],
    "en": ["👩‍👩‍👧", "👍🏽 ", "🇮🇸🇳🇴 ", "family ", "e\u0301te\u0301 ", "flags ", "1️⃣ "],
}
CASES = 60
CASE = [pytest.param(language, id=language) for language in TEXTS]


def text_in(language: str, chance: random.Random) -> str:
    return "".join(chance.choices(TEXTS[language], k=chance.randint(2, 14))).strip()


def spoken(text: str, chance: random.Random) -> list[CaptionWord]:
    now, words = 0, []
    for unit in word_units(text):
        end = now + chance.randint(50, 400)
        words.append(CaptionWord(now, end, unit, Origin.ASR))
        now = end + chance.choice([0, 0, 0, 200])
    return words


def graphemes(text: str) -> list[str]:
    return list(CharacterBreaker(text, "en"))


def whole(parts: list[str], text: str) -> bool:
    """Whether no grapheme of the text was cut."""
    return sorted(each for part in parts for each in graphemes(without_space(part))) == sorted(
        graphemes(without_space(text))
    )


@pytest.mark.parametrize("language", CASE)
def test_rows_keep_to_the_rules_of_the_script(language: str) -> None:
    chance = random.Random(7)
    max_row = min(18, rules_for(language).max_row)
    broken = 0
    for _ in range(CASES):
        text = text_in(language, chance)
        rows = wrap_text(text, max_row, 4, language)
        if rows is None:
            continue
        broken += len(rows) - 1
        assert without_space("".join(rows)) == without_space(text)
        assert whole(rows, text), rows
        assert all(visible_length(row) <= max_row for row in rows), rows
        assert not any(forbidden_break(*pair) for pair in pairwise(rows)), rows
        assert not any(row[:1] in "!?;:»%" or row[-1:] == "«" for row in rows), rows
        assert "10\u00a0000" not in text or any("10\u00a0000" in row for row in rows)
    assert broken > CASES // 10


@pytest.mark.long
@pytest.mark.parametrize("language", CASE)
def test_lines_of_spoken_words_keep_to_the_rules_of_the_script(language: str) -> None:
    chance = random.Random(8)
    for _ in range(CASES // 2):
        words = spoken("".join(text_in(language, chance) + chance.choice(["", " "]) for _ in range(4)), chance)
        lines = lines_from_words(words, rules_for(language), language)
        rows = [row for line in lines for row in line.text.split("\n")]
        assert without_space("".join(rows)) == without_space("".join(word.text for word in words))
        assert [word.text for line in lines for word in line.words] == [word.text for word in words]
        assert not any(forbidden_break(*pair) for pair in pairwise(rows)), rows
        assert all(visible_length(row) <= rules_for(language).max_row for row in rows), rows


@pytest.mark.parametrize("language", CASE)
def test_safe_fixes_mend_forbidden_breaks_and_lose_no_character(language: str) -> None:
    chance = random.Random(9)
    about = Circumstances(built_in_profiles()["default"], language, (), None)
    for _ in range(CASES // 2):
        text = text_in(language, chance)
        at = chance.randint(1, max(1, len(text) - 1))
        line = CaptionLine("a", 0, 7_000, f"{text[:at].strip()}\n{text[at:].strip()}".strip(), ())
        (fixed,) = fix_all([line], about) or [line]
        assert without_space(fixed.text) == without_space(line.text)
        if visible_length(line.text) < 60:  # More may not fit into two rows of 42, which is left to a person.
            assert Rule.FORBIDDEN_BREAK not in {found.rule for found in find_all([fixed], about)}, fixed.text


@pytest.mark.parametrize("language", CASE)
def test_no_split_at_the_caret_cuts_a_grapheme(language: str) -> None:
    chance = random.Random(10)
    for _ in range(CASES // 2):
        text = text_in(language, chance)
        words = tuple(spoken(text, chance))
        line = CaptionLine("a", 0, max(10, words[-1].end_ms), text, words)
        at = chance.randint(1, len(text))
        try:
            after = split_at([line], "a", at, new_id="b", rules=DEFAULT_RULES).after
        except EditRefused:
            continue
        assert whole([part.text for part in after], text), [part.text for part in after]


def test_a_long_line_of_an_import_is_not_cut_inside_a_grapheme() -> None:
    text = "x" + "👩‍👩‍👧" * LINE_CHARS_MAX
    parts = [part.text for part in split_long(CaptionLine("a", 0, 60_000, text, ()))]
    assert "".join(parts) == text
    assert whole(parts, text)


@pytest.mark.parametrize(
    ("text", "graphemes_read"),
    [
        ("한국", 2),
        ("\u1112\u1161\u11ab국", 2),
        ("น้ำ", 1),
        ("か\u3099", 1),
        ("👩‍👩‍👧👍🏽🇮🇸", 3),
        ("ﾊﾟﾝ", 2),
        ("हिन्दी", 3),
        ("é", 1),
    ],
)
def test_marks_and_joined_pictures_count_nothing(text: str, graphemes_read: int) -> None:
    assert half_widths(text, counts_half=False) == 2 * graphemes_read
    assert visible_length(text) == graphemes_read
