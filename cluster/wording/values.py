"""Values in the holes of a form: numbers, plurals, days and other messages, as a language writes them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from cluster.wording.catalogue import ENGLISH, Forms

if TYPE_CHECKING:
    from babel import Locale

PLURALS = ("zero", "one", "two", "few", "many", "other")


def rendered(forms: Forms, values: Mapping[str, Any], language: str) -> str:
    """A form with its values; of several forms the one that fits `count`."""
    if not isinstance(forms, str):
        # Gettext has no form of its own for the decimals of Slavic languages.
        forms = forms[min(plural_index(values["count"], language), len(forms) - 1)]
    return forms.format_map({name: _Hole(value, language) for name, value in values.items()})


def plural_index(number: float, language: str) -> int:
    """Which of the plural forms of the language fits the number, by CLDR's rule."""
    if language == ENGLISH:
        return int(number != 1)
    rule = _locale(language).plural_form
    names = [name for name in PLURALS if name in rule.tags or name == "other"]
    return names.index(rule(number))


class _Hole:
    """A value that formats itself: `{count:line|lines}` chooses a word, other specifications are Python's."""

    def __init__(self, value: Any, language: str) -> None:
        self.value = value
        self.language = language

    def __format__(self, spec: str) -> str:
        value = self.value
        if "|" in spec:
            forms = spec.split("|")
            # A row may hold a number as text, which must not keep a page from its sentence.
            return forms[-1 if isinstance(value, str) else plural_index(value, self.language)]
        if hasattr(value, "text"):
            return str(value.text(self.language))
        if isinstance(value, date):
            return day(value, self.language)
        return value if isinstance(value, str) else _separated(format(value, spec), self.language)


def day(value: date, language: str) -> str:
    """Such as `4 March 2027`, in Icelandic `4. mars 2027`."""
    from babel.dates import format_date

    return format_date(value, "d MMMM y" if language == ENGLISH else "long", locale=_locale(language))


def _separated(number: str, language: str) -> str:
    """A number of Python's with the separators of the language."""
    if language == ENGLISH:
        return number
    symbols = _locale(language).number_symbols["latn"]
    return number.translate({ord(","): symbols["group"], ord("."): symbols["decimal"]})


@cache
def _locale(language: str) -> Locale:
    # Babel takes 0.1 s of the start of a process, which may never speak another language.
    from babel import Locale

    return Locale.parse(language)
