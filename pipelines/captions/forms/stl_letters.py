"""The character tables of EBU-STL, by the number in the header: Latin, Cyrillic, Arabic, Greek and Hebrew."""

from __future__ import annotations

import unicodedata

from pipelines.captions.forms import iso6937

LATIN = b"00"
_CODECS = {b"01": "iso8859-5", b"02": "iso8859-6", b"03": "iso8859-7", b"04": "iso8859-8"}
TABLES = (LATIN, *_CODECS)

# The tables are older than the euro, which only later Greek ones have. `¤` or `$` would be another currency.
_EURO = {"€": "EUR"}
_LIKE = {
    **_EURO,
    **dict.fromkeys("‐‑‒–—―−־", "-"),
    **dict.fromkeys("“”„«»״", '"'),
    **dict.fromkeys("‘’‚׳", "'"),
    **dict.fromkeys("\u00a0\u2007\u202f", " "),
    **dict.fromkeys("\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", ""),
    **{letter: str(value % 10) for value, letter in enumerate("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹")},
    "…": "...",
    "×": "x",
}


def encode(text: str, table: bytes) -> tuple[bytes, int]:
    """The bytes of a row, and how many characters the table cannot hold: each of those becomes a question mark."""
    codec = _CODECS.get(table)
    text = "".join(_EURO.get(letter, letter) for letter in unicodedata.normalize("NFC", text))
    if codec is None:
        return iso6937.encode(text)
    encoded = bytearray()
    missing = 0
    for letter in text:
        try:
            encoded += letter.encode(codec)
        except UnicodeEncodeError:
            like = _LIKE.get(letter)
            encoded += b"?" if like is None else like.encode()
            missing += like is None
    return bytes(encoded), missing


def decode(raw: bytes, table: bytes, language: str | None = None) -> str:
    """The text of a row. Bytes without a meaning become U+FFFD. A table that nobody knows is read as Latin."""
    codec = _CODECS.get(table)
    return raw.decode(codec, errors="replace") if codec else iso6937.decode(raw, language)
