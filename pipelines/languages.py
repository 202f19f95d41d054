"""Languages a user can choose, and the codes that models and media files know them by."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pipelines.language_names import language_name
from serve.core.text.language_codes import ISO_639_2


@dataclass(frozen=True, slots=True)
class LanguageOption:
    """One entry of a list. `value` is the locale code; `country` is an ISO 3166 code, only in the regional list."""

    label: str
    value: str
    country: str | None = None


def _option(english: str, value: str, country: str | None = None) -> LanguageOption:
    return LanguageOption(language_name(english), value, country)


AUTO = "auto"
"""Stands for a language to be detected from the sound."""

UNKNOWN = "Unknown"

REGIONAL: tuple[LanguageOption, ...] = (
    _option("Icelandic", "is-IS", "IS"),
    _option("English (US)", "en-US", "US"),
    _option("English (Australia)", "en-AU", "AU"),
    _option("English (UK)", "en-GB", "GB"),
    _option("English (India)", "en-IN", "IN"),
    _option("English (Ireland)", "en-IE", "IE"),
    _option("English (South Africa)", "en-ZA", "ZA"),
    _option("Portuguese (Brazil)", "pt-BR", "BR"),
    _option("Danish", "da-DK", "DK"),
    _option("Dutch", "nl-NL", "NL"),
    _option("Finnish", "fi-FI", "FI"),
    _option("French", "fr-FR", "FR"),
    _option("French (Canada)", "fr-CA", "CA"),
    _option("German", "de-DE", "DE"),
    _option("German (Switzerland)", "de-CH", "CH"),
    _option("Italian", "it-IT", "IT"),
    _option("Norwegian", "nb-NO", "NO"),
    _option("Polish", "pl-PL", "PL"),
    _option("Portuguese (Portugal)", "pt-PT", "PT"),
    _option("Russian", "ru-RU", "RU"),
    _option("Spanish", "es-ES", "ES"),
    _option("Spanish (US)", "es-US", "US"),
    _option("Swedish", "sv-SE", "SE"),
    _option("Turkish", "tr-TR", "TR"),
)
"""24 regional entries. Where the product definition names none, these are the variants most in demand."""

_BROAD = (
    "af:Afrikaans sq:Albanian am:Amharic ar:Arabic hy:Armenian az:Azerbaijani eu:Basque be:Belarusian bn:Bengali "
    "bs:Bosnian bg:Bulgarian ca:Catalan zh:Chinese zh-TW:Chinese_(Traditional) hr:Croatian cs:Czech da:Danish "
    "fa-AF:Dari nl:Dutch en:English et:Estonian fa:Persian tl:Filipino fi:Finnish fr:French fr-CA:French_(Canada) "
    "gl:Galician ka:Georgian de:German el:Greek gu:Gujarati ht:Haitian_Creole ha:Hausa he:Hebrew hi:Hindi hu:Hungarian "
    "is:Icelandic id:Indonesian ga:Irish it:Italian ja:Japanese kn:Kannada kk:Kazakh km:Khmer ko:Korean lv:Latvian "
    "lt:Lithuanian mk:Macedonian ms:Malay ml:Malayalam mt:Maltese mr:Marathi mn:Mongolian ne:Nepali no:Norwegian "
    "ps:Pashto pl:Polish pt:Portuguese pt-PT:Portuguese_(Portugal) pa:Punjabi ro:Romanian ru:Russian sr:Serbian "
    "si:Sinhala sk:Slovak sl:Slovenian so:Somali es:Spanish es-MX:Spanish_(Mexico) sw:Swahili sv:Swedish ta:Tamil "
    "te:Telugu th:Thai tr:Turkish uk:Ukrainian ur:Urdu uz:Uzbek vi:Vietnamese cy:Welsh"
)

BROAD: tuple[LanguageOption, ...] = tuple(
    _option(label.replace("_", " "), value) for value, label in (entry.split(":") for entry in _BROAD.split())
)
"""The languages captions can be translated into, by label."""

_LABELS = {option.value.casefold(): option.label for option in (*BROAD, *REGIONAL)}
"""One label per code: a code in both lists has the same label in both."""

_CODES = {option.value.casefold(): option.value for option in (*BROAD, *REGIONAL)}

_ONLY_DETECTED_CODES = (
    "as:Assamese ba:Bashkir bo:Tibetan br:Breton fo:Faroese haw:Hawaiian jw:Javanese la:Latin lb:Luxembourgish "
    "ln:Lingala lo:Lao mg:Malagasy mi:Maori my:Burmese nb:Norwegian nn:Norwegian_Nynorsk oc:Occitan sa:Sanskrit "
    "sd:Sindhi sn:Shona su:Sundanese tg:Tajik tk:Turkmen tt:Tatar yi:Yiddish yo:Yoruba yue:Cantonese"
)
_ONLY_DETECTED = dict(re.findall(r"(\S+):(\S+)", _ONLY_DETECTED_CODES))
"""Languages that Whisper detects but users cannot choose. They still need a name on screen."""

_WHISPER_NAMES = {"nb": "no", "fil": "tl", "iw": "he", "in": "id"}
"""Codes that Whisper spells differently from the locale."""


def language_label(code: str) -> str:
    """The name for a code of either list or of a language that only detection gives, else `Unknown`."""
    wanted = code.casefold()
    return _LABELS.get(wanted) or language_name(_ONLY_DETECTED.get(wanted, UNKNOWN).replace("_", " "))


def is_known(code: str) -> bool:
    """Whether the code is in one of the lists."""
    return code.casefold() in _LABELS


def listed_code(code: str) -> str | None:
    """The code as the lists spell it (`EN-us` -> `en-US`); None when it is in neither."""
    return _CODES.get(code.casefold())


def whisper_code(locale: str) -> str | None:
    """`is-IS` -> `is`; None for `auto`."""
    if locale == AUTO:
        return None
    base = locale.replace("_", "-").split("-")[0].lower()
    return _WHISPER_NAMES.get(base, base)


def iso_639_2(locale: str) -> str:
    """`is-IS` -> `isl`, the terminology code that media tracks carry; `und` when there is none."""
    return ISO_639_2.get(locale.replace("_", "-").split("-")[0].lower(), "und")


def locale_of(code: str) -> str:
    """The first regional locale of a bare code a model named (`is` -> `is-IS`); the code itself when there is none."""
    for option in REGIONAL:
        if whisper_code(option.value) == code:
            return option.value
    return code


def language_in(stem: str) -> str | None:
    """The code before the suffix, `en` in the stem `talk.en`; None without a known one."""
    name, dot, code = stem.rpartition(".")
    return code if name and dot and is_known(code) else None


def without_language(stem: str) -> str:
    """`talk.en` -> `talk`."""
    return stem.rpartition(".")[0] if language_in(stem) is not None else stem
