"""The Latin character set of EBU-STL: ISO 6937, in which an accent stands before its letter. Source: EBU Tech 3264."""

from __future__ import annotations

import unicodedata

_SINGLE = {
    0xA0: "\u00a0",
    0xA1: "¡", 0xA2: "¢", 0xA3: "£", 0xA4: "$", 0xA5: "¥", 0xA6: "#", 0xA7: "§", 0xA8: "¤", 0xA9: "‘", 0xAA: "“",
    0xAB: "«", 0xAC: "←", 0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "²", 0xB3: "³", 0xB4: "×",
    0xB5: "µ", 0xB6: "¶", 0xB7: "·", 0xB8: "÷", 0xB9: "’", 0xBA: "”", 0xBB: "»", 0xBC: "¼", 0xBD: "½", 0xBE: "¾",
    0xBF: "¿", 0xD0: "―", 0xD1: "¹", 0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD5: "♪", 0xDC: "⅛", 0xDD: "⅜", 0xDE: "⅝",
    0xDF: "⅞", 0xE0: "Ω", 0xE1: "Æ", 0xE2: "Đ", 0xE3: "ª", 0xE4: "Ħ", 0xE6: "Ĳ", 0xE7: "Ŀ", 0xE8: "Ł", 0xE9: "Ø",
    0xEA: "Œ", 0xEB: "º", 0xEC: "Þ", 0xED: "Ŧ", 0xEE: "Ŋ", 0xEF: "ŉ", 0xF0: "ĸ", 0xF1: "æ", 0xF2: "đ", 0xF3: "ð",
    0xF4: "ħ", 0xF5: "ı", 0xF6: "ĳ", 0xF7: "ŀ", 0xF8: "ł", 0xF9: "ø", 0xFA: "œ", 0xFB: "ß", 0xFC: "þ", 0xFD: "ŧ",
    0xFE: "ŋ",
}  # fmt: skip
_ACCENTS = {
    0xC1: "\u0300", 0xC2: "\u0301", 0xC3: "\u0302", 0xC4: "\u0303", 0xC5: "\u0304", 0xC6: "\u0306", 0xC7: "\u0307",
    0xC8: "\u0308", 0xCA: "\u030a", 0xCB: "\u0327", 0xCD: "\u030b", 0xCE: "\u0328", 0xCF: "\u030c",
}  # fmt: skip
_ALONE = dict(zip(_ACCENTS.values(), "`´^~¯˘˙¨˚¸˝˛ˇ", strict=True))
"""What an accent before a space stands for."""
_BYTE_OF = {letter: bytes([code]) for code, letter in _SINGLE.items()}
_BYTE_OF |= {"Ð": b"\xe2", "–": b"-", "—": b"\xd0", "…": b"...", "\u00a0": b" ", "\u202f": b" ", "\u2060": b""}
_CODE_OF_ACCENT = {accent: code for code, accent in _ACCENTS.items()}


def encode(text: str) -> tuple[bytes, int]:
    """The bytes of a row, and how many characters it cannot hold: each of those becomes a question mark."""
    encoded = bytearray()
    missing = 0
    for letter in unicodedata.normalize("NFC", text):
        if " " <= letter <= "~":
            encoded += letter.encode()
        elif letter in _BYTE_OF:
            encoded += _BYTE_OF[letter]
        else:
            parts = unicodedata.normalize("NFD", letter)
            if len(parts) == 2 and parts[1] in _CODE_OF_ACCENT and parts[0].isascii():
                encoded += bytes([_CODE_OF_ACCENT[parts[1]]]) + parts[0].encode()
            else:
                encoded += b"?"
                missing += 1
    return bytes(encoded), missing


def decode(raw: bytes, language: str | None = None) -> str:
    """The text of a row. Bytes without a meaning become U+FFFD. Icelandic and Faroese have Ð where others have Đ."""
    letters: list[str] = []
    accent = ""
    for code in raw:
        if code in _ACCENTS:
            accent = _ACCENTS[code]
            continue
        letter = chr(code) if 0x20 <= code <= 0x7E else _SINGLE.get(code, "\ufffd")
        letters.append(_ALONE[accent] if accent and letter == " " else letter + accent)
        accent = ""
    text = unicodedata.normalize("NFC", "".join(letters))
    return text.replace("Đ", "Ð") if (language or "").split("-")[0] in ("is", "fo") else text
