"""Words by which sentences sound like decisions or action items, in English and Icelandic."""

from __future__ import annotations

import re
from dataclasses import dataclass

from serve.tasks.text.messages import ClaimKind

_DECISIONS = {
    "en": r"\b(we|they|it was|it is|it's|board|committee|group|team) (have |has |had |all |was |were )?"
    r"(decided|agreed|resolved|approved|voted)\b|\bthe decision is\b|\bwe(?:'re| are) going with\b|\blet's go with\b"
    r"|\bdecided (to|that|on)\b|\bagreed (to|that|on)\b",
    "is": r"\bákv(áðum|eðið|áðu|eðum)\b|\bsamþykk(t|tum|tu|tir)\b|\b(erum|vorum|urðum) sammála\b|\bniðurstaðan er\b",
}
_ACTIONS = {
    "en": r"\b(will|shall|'ll) (\w+ly )?(?!be\b|have\b|not be\b)\w+|\b(needs?|has|have) to \w+|\baction item\b"
    r"|\b(please|must) \w+|\b(am|is|are|'m|'re) going to \w+|\bshould \w+ .*\bby\b",
    "is": r"\b(þarf|þurfum|þurfa|verður|verðum|verða|ætla|ætlar|ætlum) að\b|\bmun(u|um)?\b|\btek(ur)? að (mér|sér)\b"
    r"|\bá að (senda|klára|gera|skila|hringja|undirbúa|kanna)\b",
}
_DAY_EN = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH_EN = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DUE = {
    "en": rf"\b(?:by|before|until|on) (?:the )?(?:end of (?:the )?\w+|next \w+"
    rf"|{_DAY_EN}(?: (?:morning|afternoon|evening|noon))?|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH_EN}"
    rf"|{_MONTH_EN}(?: \d{{1,2}}(?:st|nd|rd|th)?)?|tomorrow|noon)\b"
    r"|\b(?:tomorrow|today|tonight|next (?:week|month|year))\b",
    "is": r"\b(?:fyrir|á|í) (?:næsta |næstu )?(?:mánudag|þriðjudag|miðvikudag|fimmtudag|föstudag|laugardag|sunnudag)\w*"
    r"|\bá morgun\b|\bí næstu viku\b|\bí næsta mánuði\b|\bfyrir (?:lok|enda) \w+\b|\bfyrir \d{1,2}\. \w+",
}
_OWNER = {
    "en": re.compile(
        r"\b([A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)?)(?:'ll| will| shall| needs to| has to| is going to)\b"
    ),
    "is": re.compile(
        r"\b([A-ZÁÐÉÍÓÚÝÞÆÖ]\w+(?: [A-ZÁÐÉÍÓÚÝÞÆÖ]\w+)?) (?:þarf að|ætlar að|mun|tekur að sér|á að|verður að)\b"
    ),
}
_FIRST_PERSON = {
    "en": re.compile(r"\bI(?:'ll| will| shall| need to| have to| am going to|'m going to)\b"),
    "is": re.compile(r"\b[Éé]g (?:þarf að|ætla að|mun|tek að mér|verð að)\b"),
}
_NO_NAMES = frozenset(
    {"i", "we", "you", "he", "she", "it", "they", "this", "that", "there", "who", "what", "everybody", "everyone"}
    | {"somebody", "someone", "nobody", "and", "but", "so", "then"}
    | {"ég", "við", "þú", "þið", "hann", "hún", "það", "þeir", "þær", "þau"}
)


@dataclass(frozen=True, slots=True)
class Cue:
    """What a sentence sounds like. `owner` and `due` are in its own words, None where it names neither."""

    kind: ClaimKind
    owner: str | None = None
    due: str | None = None


def cue(text: str, speaker: str | None, language: str) -> Cue:
    """What the sentence sounds like; a plain point in every language without cue words. Questions are points."""
    if language not in _DECISIONS or text.rstrip().endswith("?"):
        return Cue(ClaimKind.POINT)
    if re.search(_DECISIONS[language], text, re.IGNORECASE):
        return Cue(ClaimKind.DECISION)
    due = re.search(_DUE[language], text, re.IGNORECASE)
    owner = _owner(text, speaker, language)
    # "Will" alone is often only the future: an action names who does it or when.
    if re.search(_ACTIONS[language], text, re.IGNORECASE) and (due or owner):
        return Cue(ClaimKind.ACTION, owner, due.group(0) if due else None)
    return Cue(ClaimKind.POINT)


def _owner(text: str, speaker: str | None, language: str) -> str | None:
    for match in _OWNER[language].finditer(text):
        if match.group(1).split()[0].casefold() not in _NO_NAMES:
            return match.group(1)
    return speaker if speaker and _FIRST_PERSON[language].search(text) else None
