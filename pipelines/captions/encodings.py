"""Bytes of a subtitle file to text, whatever program wrote them."""

from __future__ import annotations

import codecs

from charset_normalizer import from_bytes

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_CODE_PAGES = {
    "cp1252": "is en de fr es pt it nl da sv no nb fi ga",
    "cp1250": "pl cs sk hu sl hr bs ro sq",
    "cp1251": "ru uk be bg mk sr",
    "cp1253": "el",
    "cp1254": "tr",
    "cp1255": "he",
    "cp1256": "ar fa ur",
    "cp1257": "et lv lt",
    "cp1258": "vi",
    "cp932": "ja",
    "cp949": "ko",
    "cp874": "th",
    "gb18030": "zh",
}
_CODE_PAGE_OF = {language: page for page, languages in _CODE_PAGES.items() for language in languages.split()}


def decode(raw: bytes, language: str | None = None) -> str:
    """The text of `raw`: by its byte order mark, as UTF-8 or UTF-16 without one, else by its language or its letters.

    `language` is a locale (`is-IS`): the code page that Windows used for it is then tried before guessing.
    Never fails: in the last resort every byte becomes one letter, so that nothing is lost.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            return raw.decode(encoding, errors="replace")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is not None and "\0" not in text:
        return text
    wide = _wide(raw)
    if wide is not None:
        return wide
    if text is not None:
        return text
    page = "big5" if language in ("zh-TW", "zh-HK") else _CODE_PAGE_OF.get((language or "").split("-")[0])
    if page is not None:
        try:
            return raw.decode(page)
        except UnicodeDecodeError:
            pass
    guess = from_bytes(raw).best()
    return str(guess) if guess is not None else raw.decode("latin-1")


def _wide(raw: bytes) -> str | None:
    """UTF-16 without a mark: the digits of caption times make half of its bytes zero, always on the same side."""
    odd, even = raw[1::2].count(0), raw[::2].count(0)
    if max(odd, even) * 8 < len(raw):
        return None
    try:
        return raw.decode("utf-16-le" if odd > even else "utf-16-be")
    except UnicodeDecodeError:
        return None
