"""Guess the language of captions from their script and their most frequent small words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pipelines.captions.texts.text import same_word
from pipelines.translation.texts.scripts import script_of

_SCRIPTS = {
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "GREEK": "el",
    "ARABIC": "ar",
    "HEBREW": "he",
    "THAI": "th",
    "DEVANAGARI": "hi",
}
_SMALL_WORDS = {
    "en": "the and is are you of to that it was we this have not with for what they he i",
    "is": "og að er það ekki við hann hún þetta sem ég þú á um var við en hvað eru já",
    "es": "el que y los las es una por con para del está muy pero como no lo se su qué",
    "de": "der die und das ist nicht ich sie wir ein eine mit auf auch es zu haben war den was",
    "fr": "le et les des est une pas que vous nous pour dans je il elle avec sur ce qui c'est",
    "it": "il che di è una per non sono con gli della mi questo anche ma come più lo ho si",
    "pt": "o que e os uma não para com você é do da eu muito mas como isso está em um",
    "da": "og det er jeg ikke en til på af vi de du har med den som hvad kan han også",
    "sv": "och det är jag inte en till på av vi de du har med den som vad kan han också",
    "no": "og det er jeg ikke en til på av vi de du har med den som hva kan han også",
    "nl": "het een en van is niet ik je dat we in te op zijn voor met ze maar die wat",
    "pl": "i nie to się w na że jest do z co tak jak ale ja mnie go za tym po",
    "fi": "ja on ei se en että hän mitä tämä mutta ovat kuin niin minä sinä oli kun nyt olen me",
}
_ENOUGH = 3
_CLEARER = 1.2
_KANA = ("HIRAGANA", "KATAKANA")


def guess_language(texts: Iterable[str]) -> str | None:
    """The code of the most likely language; None where the texts are too few or two languages are as likely."""
    words = [word for text in texts for word in text.split()]
    scripts = Counter(script for word in words for script in {script_of(part) for part in word} if script)
    if not scripts:
        return None
    if any(scripts[kana] for kana in _KANA):
        return "ja"
    script = scripts.most_common(1)[0][0]
    if script != "LATIN":
        return _SCRIPTS.get(script)
    counts = Counter(same_word(word) for word in words)
    scores = sorted(
        (
            (sum(counts[same_word(small)] for small in set(listed.split())), code)
            for code, listed in _SMALL_WORDS.items()
        ),
        reverse=True,
    )
    (best, code), (second, _) = scores[0], scores[1]
    return code if best >= _ENOUGH and best >= _CLEARER * second else None
