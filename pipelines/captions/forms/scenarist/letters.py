"""Text as byte pairs of CEA-608 line 21."""

from __future__ import annotations

import unicodedata

from pipelines.captions.forms.scenarist.codes import BASIC, EXTENDED, SPECIAL

Pair = tuple[int, int]
Code = int | tuple[Pair, str]
"""A byte of its own, or a code of two bytes with the simpler letter that has to be sent before it, if any."""

_CODES: dict[str, Code] = {chr(code): code for code in range(0x20, 0x7F) if code not in BASIC}
for _taken in "'*\\^_`{|}~":
    _CODES.pop(_taken, None)
_CODES |= {letter: code for code, letter in BASIC.items()}
_CODES |= {letter: ((0x11, 0x30 + at), "") for at, letter in enumerate(SPECIAL)}

_SIMPLER = {
    "‘": "’",
    "'": "’",
    "“": '"',
    "”": '"',
    "«": '"',
    "»": '"',
    "—": "-",
    "*": "-",
    "ß": "s",
    "Ø": "O",
    "ø": "o",
}


def _base(letter: str) -> str:
    """The letter without its accent."""
    return unicodedata.normalize("NFKD", letter)[0]


for _first, _letters in EXTENDED.items():
    for _at, _letter in enumerate(_letters):
        _simple = _SIMPLER.get(_letter, _base(_letter))
        _CODES[_letter] = ((_first, 0x20 + _at), _simple if isinstance(_CODES.get(_simple), int) else "?")

# The straight apostrophe has an extended code of three pairs; decoders show the plain one for either.
_CODES["'"] = 0x27

_STANDS_FOR = {
    **{"ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "đ": "d", "ł": "l"},
    **{"Ł": "L", "ı": "i", "…": "...", "–": "-", "‑": "-", "„": '"', "‚": "’", "€": "EUR", "`": "‘", "♫": "♪"},
}
"""What stands for letters that no decoder has."""


def letters_for(letter: str) -> str:
    """The letters to send for one of a text: itself, others that stand for it, or a question mark."""
    if letter in _CODES:
        return letter
    for other in (_STANDS_FOR.get(letter), unicodedata.normalize("NFC", letter), _base(letter)):
        if other is not None and all(each in _CODES for each in other):
            return other
    return "?"


def is_held(text: str) -> bool:
    """Whether every letter of a row can be sent as it is."""
    return all(letter in _CODES for letter in text)


def shown(word: str) -> str:
    """A word as a decoder shows it."""
    composed = unicodedata.normalize("NFC", word)
    return "".join(letters_for(letter) for letter in composed if not unicodedata.combining(letter))


class PairWriter:
    """Byte pairs without parity, in units that must not be parted: a code and its repetition are one."""

    def __init__(self) -> None:
        self.units: list[list[Pair]] = []
        self._half: int | None = None

    def control(self, first: int, second: int) -> None:
        """A code. Every code is sent twice, so that one that is lost does no harm."""
        self._fill()
        self.units.append([(first, second), (first, second)])

    def text(self, text: str) -> None:
        """Letters that `shown` gives."""
        for letter in text:
            code = _CODES[letter]
            if isinstance(code, int):
                self._byte(code)
            else:
                (first, second), simpler = code
                if simpler:
                    simple = _CODES[simpler]
                    assert isinstance(simple, int)
                    self._byte(simple)
                self.control(first, second)

    def finish(self) -> list[list[Pair]]:
        """All units."""
        self._fill()
        return self.units

    def _byte(self, code: int) -> None:
        if self._half is None:
            self._half = code
        else:
            self.units.append([(self._half, code)])
            self._half = None

    def _fill(self) -> None:
        """A code begins a pair, so a letter alone gets an empty byte beside it."""
        if self._half is not None:
            self._byte(0)


def with_parity(code: int) -> int:
    """Seven bits, and an eighth that makes the number of ones odd."""
    return code if code.bit_count() % 2 else code | 0x80
