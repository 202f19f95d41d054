"""Numbers, units and dates of a sentence in one form, so that "1,200", "1.200" and "twelve hundred" can be compared."""

from __future__ import annotations

import re

_DIGITS = re.compile(r"\d+(?:[.,:\u00a0\u202f ]\d+)*")
_TOKEN = re.compile(rf"{_DIGITS.pattern}|[^\W\d_]+")
_GROUPED = re.compile(r"^\d{1,3}(?:[.,\u00a0\u202f ]\d{3})+$")

_UNITS_OF = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen",
    "is": "núll einn tveir þrír fjórir fimm sex sjö átta níu tíu ellefu tólf þrettán fjórtán fimmtán sextán sautján "
    "átján nítján",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis "
    "diecisiete dieciocho diecinueve",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
    "siebzehn achtzehn neunzehn",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
}
_TENS_OF = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "is": "tuttugu þrjátíu fjörutíu fimmtíu sextíu sjötíu áttatíu níutíu",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
}
_OTHER_FORMS = {
    "is": {
        "ein": 1,
        "eitt": 1,
        "tvær": 2,
        "tvö": 2,
        "tvo": 2,
        "þrjár": 3,
        "þrjú": 3,
        "þrjá": 3,
        "fjórar": 4,
        "fjögur": 4,
    },
    "es": {"una": 1, "un": 1},
    "de": {"ein": 1, "eine": 1},
    "fr": {"une": 1},
}
_SCALES = {
    "hundred": 100, "hundruð": 100, "hundrað": 100, "cien": 100, "ciento": 100, "hundert": 100, "cent": 100,
    "thousand": 1000, "þúsund": 1000, "mil": 1000, "tausend": 1000, "mille": 1000,
    "million": 10**6, "millions": 10**6, "milljón": 10**6, "milljónir": 10**6, "millón": 10**6, "millones": 10**6,
    "millionen": 10**6, "billion": 10**9, "milljarður": 10**9, "milljarðar": 10**9, "milliarde": 10**9,
    "milliarden": 10**9,
}  # fmt: skip
_JOINED = frozenset({"and", "og", "y", "und", "et"})
_UNITS = {
    "percent": r"%|\bpercent\b|\bper cent\b|\bprósent\w*|\bpor ciento\b|\bprozent\b|\bpour ?cent\b",
    "dollar": r"\$|\bdollar\w*|\bdólar\w*|\bbucks\b",
    "euro": r"€|\beuro\w*|\bevr(a|u|ur|um)\b",
    "pound": r"£|\bpounds?\b|\bpund\w*",
    "krona": r"\bkr\b|\bkrón\w*|\bkronor?\b|\bkroner\b|\bISK\b",
}
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "is": "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
_DAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday tomorrow yesterday",
    "is": "mánudag þriðjudag miðvikudag fimmtudag föstudag laugardag sunnudag morgun gær",
    "es": "lunes martes miércoles jueves viernes sábado domingo mañana ayer",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag morgen gestern",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche demain hier",
}
SMALLEST_WORD = 3
"""Smaller numbers in words are often none: "one of them", "the two of us"."""


def numbers(text: str, language: str) -> set[float]:
    """Every number of the text, in digits or in words."""
    return {value for value, _ in _numbers(text, language)}


def stated_numbers(text: str, language: str) -> set[float]:
    """The numbers that a sentence states and that its evidence must hold."""
    return {value for value, is_stated in _numbers(text, language) if is_stated}


def units(text: str) -> set[str]:
    return {unit for unit, pattern in _UNITS.items() if re.search(pattern, text, re.IGNORECASE)}


def dates(text: str, language: str) -> set[str]:
    """Months and weekdays of the text, by the start that all their forms share."""
    names = f"{_MONTHS.get(language, '')} {_DAYS.get(language, '')}".split()
    found = set()
    for name in names:
        # "May" and "March" are verbs in lower case, which Icelandic and Spanish write months in.
        flags = 0 if name[0].isupper() else re.IGNORECASE
        if re.search(rf"\b{re.escape(name)}", text, flags):
            found.add(name)
    return found


def _numbers(text: str, language: str) -> list[tuple[float, bool]]:
    """Values in order, each with whether it is stated: small numbers in words are evidence but need none.

    Words that stand together are one number: "twenty-five", "tuttugu og fimm", "12 million".
    """
    known = _number_words(language)
    values: list[tuple[float, bool]] = []
    is_open = False
    for match in _TOKEN.finditer(text):
        token = match.group(0).casefold()
        if token[0].isdigit():
            values.append((_value(token), True))
            is_open = True
        elif token in known:
            value = known[token]
            last = values[-1][0] if is_open else 0.0
            if 0 < value < 10 and 20 <= last < 100 and last % 10 == 0:
                values[-1] = (last + value, True)
            else:
                values.append((value, value >= SMALLEST_WORD))
            is_open = True
        elif token in _SCALES and is_open:
            values[-1] = (values[-1][0] * _SCALES[token], True)
        elif token not in _JOINED:
            is_open = False
    return values


def _value(digits: str) -> float:
    if _GROUPED.match(digits):
        return float(re.sub(r"\D", "", digits))
    if ":" in digits:
        # A time of day or a score: its digits in order tell it apart from any other.
        return float(re.sub(r"\D", "", digits))
    plain = re.sub(r"[\u00a0\u202f ]", "", digits).replace(",", ".")
    try:
        return float(plain)
    except ValueError:
        return float(re.sub(r"\D", "", digits))


def _number_words(language: str) -> dict[str, float]:
    found: dict[str, float] = {word: value for value, word in enumerate(_UNITS_OF.get(language, "").split())}
    found |= {word: 20 + 10 * index for index, word in enumerate(_TENS_OF.get(language, "").split())}
    return found | _OTHER_FORMS.get(language, {})
