"""Which Windows code page of the Latin alphabets a text is in, by the letters that each language writes."""

from __future__ import annotations

import re
from collections import Counter

_ALPHABETS = {
    "cp1252": (
        *("áàâäçéèêëíïñóôöüœ", "àâæçéèêëîïôùûüÿœ", "äöüß", "áéíñóúü", "àáâãçéêíóôõúü", "àèéìíîòóùú", "áðéíóúýþæö"),
        *("åæøéòóô", "åäöé", "áéëïíóöüú", "áéíóú", "àçéèíïóòúü"),
    ),
    "cp1250": ("čćžšđ", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "âăîşţ"),
    "cp1254": ("çğıöşüâîû",),
    "cp1257": ("äõöüšž", "āčēģīķļņšūž", "ąčęėįšųūž"),
}
_OWN = {
    **{"en": 0, "fr": 1, "de": 2, "es": 3, "pt": 4, "it": 5, "is": 6, "da": 7, "no": 7, "nb": 7, "nn": 7, "sv": 8},
    **{"fi": 8, "nl": 9, "ga": 10, "ca": 11},
}
"""The alphabet in `cp1252` of a language."""
_WORD_OF = re.compile(rb"[A-Za-z\x80-\xff]{2,}")
_GOOD = 0.95
"""Of the letters beyond A to Z, the share that its language writes at least."""
_BETTER_BY = 0.05
_BETWEEN_VOWELS = re.compile(rb"(?<=[aeiouAEIOU])[\xc6\xe6](?=[aeiouAEIOU])")
"""No language writes `æ` there, and those of `cp1250` often `ć`."""
_SIGNS = frozenset("“”‘’„‚…–—«»¿¡°§€£¥©®™•·\u00a0")


def latin_page(raw: bytes, language: str) -> str | None:
    """The code page in which some language writes these bytes, where `language` of `cp1252` does not; else None."""
    own = _OWN.get(language)
    if own is None:
        return None
    counts = Counter(code for word in _WORD_OF.findall(raw) for code in word if code >= 0x80)
    letters = {page: _letters(counts, page) for page in _ALPHABETS}
    letters["cp1252"]["æ"] -= len(_BETWEEN_VOWELS.findall(raw))
    letters["cp1252"]["ć"] += len(_BETWEEN_VOWELS.findall(raw))
    as_said = _share(letters["cp1252"], _ALPHABETS["cp1252"][own])
    if as_said >= _GOOD:
        return None
    shares = [(_share(letters[page], each), page) for page, alphabets in _ALPHABETS.items() for each in alphabets]
    best = max(share for share, _ in shares)
    return next(page for share, page in shares if share == best) if best >= max(_GOOD, as_said + _BETTER_BY) else None


def _letters(counts: Counter[int], page: str) -> Counter[str]:
    """How often each letter stands in words, without quotes and the like."""
    letters: Counter[str] = Counter()
    for code, count in counts.items():
        letter = bytes([code]).decode(page, "replace").lower()
        if letter not in _SIGNS:
            letters[letter] += count
    return letters


def _share(letters: Counter[str], alphabet: str) -> float:
    count = sum(letters.values())
    return sum(letters[letter] for letter in set(alphabet)) / count if count else 1.0
