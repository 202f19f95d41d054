"""EBU-STL: rules of EBU Tech 3264-E beside ttconv, by what is on screen."""

from __future__ import annotations

import pytest

from pipelines.testing.reference_readers import alike, our_screens, ttconv_stl

WITHIN_MS = 1
BOX = b"\x0b\x0b"

Address = tuple[int, int, int, int]


def header(
    rate: bytes = b"STL25.01", table: bytes = b"00", tcp: bytes = b"00000000", rows: bytes = b"23", blocks: int = 1
) -> bytes:
    """`tcp`: the time address at which the programme starts."""
    count = b"%05d" % blocks
    names = b" " * (32 * 6 + 16 + 12) + b"00"
    fields = (b"850", rate, b"1", table, b"09", names, count, count, b"001", b"40", rows, b"1", tcp, b"00000000")
    return b"".join((*fields, b"1", b"1", b"GBR")).ljust(1024)


def block(
    text: bytes,
    start: Address = (0, 0, 1, 0),
    end: Address = (0, 0, 2, 0),
    number: int = 0,
    last: int = 0xFF,
    cs: int = 0,
    row: int = 20,
    comment: int = 0,
) -> bytes:
    """`last`: 255 for the last block of a caption; `cs`: its part of what is shown bit by bit."""
    return bytes((0, number, 0, last, cs, *start, *end, row, 2, comment)) + text.ljust(112, b"\x8f")


def stl(
    *blocks: bytes, rate: bytes = b"STL25.01", table: bytes = b"00", tcp: bytes = b"00000000", rows: bytes = b"23"
) -> bytes:
    return header(rate, table, tcp, rows, len(blocks)) + b"".join(blocks)


RULES: dict[str, bytes] = {
    "one": stl(block(b"HELLO")),
    "two rows": stl(block(b"ONE\x8aTWO")),
    "two row ends": stl(block(b"ONE\x8a\x8aTWO")),
    "frames": stl(block(b"HELLO", (0, 0, 1, 12), (0, 0, 2, 12))),
    "frames of 30": stl(block(b"HELLO", (0, 0, 1, 15), (0, 0, 2, 15)), rate=b"STL30.01"),
    "frames of 24": stl(block(b"HELLO", (0, 0, 1, 12), (0, 0, 2, 12)), rate=b"STL24.01"),
    "frames of 23": stl(block(b"HELLO", (0, 0, 1, 12), (0, 0, 2, 12)), rate=b"STL23.01"),
    "ten minutes of 30": stl(block(b"HELLO", (0, 10, 0, 0), (0, 10, 2, 0)), rate=b"STL30.01"),
    "programme from ten o'clock": stl(block(b"HELLO", (10, 0, 1, 0), (10, 0, 2, 0)), tcp=b"10000000"),
    "programme from ten, captions from zero": stl(block(b"HELLO"), tcp=b"10000000"),
    "captions from ten, programme from zero": stl(block(b"HELLO", (10, 0, 1, 0), (10, 0, 2, 0))),
    "italics": stl(block(b"A \x80B\x81 C")),
    "underlining": stl(block(b"A \x82B\x83 C")),
    "box of teletext": stl(block(BOX + b"HELLO\x0a\x0a")),
    "double height": stl(block(b"\x0d" + BOX + b"HELLO" + b"\x8a\x8a\x0d" + BOX + b"WORLD")),
    "colour of teletext": stl(block(b"A\x03B\x07C")),
    "several blocks": stl(block(b"x" * 112, last=0), block(b"END", last=0xFF)),
    "user data": stl(block(b"data", last=0xFE), block(b"HELLO")),
    "comment": stl(block(b"note", comment=1), block(b"HELLO")),
    "cumulative": stl(
        block(b"ONE", (0, 0, 1, 0), (0, 0, 5, 0), 0, cs=1),
        block(b"TWO", (0, 0, 2, 0), (0, 0, 5, 0), 1, cs=2),
        block(b"THREE", (0, 0, 3, 0), (0, 0, 5, 0), 2, cs=3),
    ),
    "accents": stl(block(b"caf\xc2e, na\xc8ive, \xe1\xf1, stra\xfbe")),
    "an accent without a letter": stl(block(b"A\xc2 B")),
    "Cyrillic": stl(block("\u041f\u0440\u0438\u0432\u0435\u0442".encode("iso8859_5")), table=b"01"),
    "Arabic": stl(block("\u0645\u0631\u062d\u0628\u0627".encode("iso8859_6")), table=b"02"),
    "Greek": stl(block("\u0393\u03b5\u03b9\u03ac".encode("iso8859_7")), table=b"03"),
    "Hebrew": stl(block("\u05e9\u05dc\u05d5\u05dd".encode("iso8859_8")), table=b"04"),
    "spaces between words": stl(block(b"A   B")),
    "spaces at the ends": stl(block(b"  HELLO  ")),
    "an empty text": stl(block(b""), block(b"NEXT", (0, 0, 3, 0), (0, 0, 4, 0))),
    "an end before the beginning": stl(
        block(b"HELLO", (0, 0, 2, 0), (0, 0, 1, 0)), block(b"NEXT", (0, 0, 5, 0), (0, 0, 6, 0))
    ),
    "two at once": stl(
        block(b"SIGN", (0, 0, 1, 0), (0, 0, 4, 0), 0, row=1), block(b"TALK", (0, 0, 2, 0), (0, 0, 3, 0), 1, row=20)
    ),
    "two at once in one place": stl(
        block(b"ONE", (0, 0, 1, 0), (0, 0, 4, 0), 0), block(b"TWO", (0, 0, 2, 0), (0, 0, 3, 0), 1)
    ),
    "a sign that replaces itself": stl(
        block(b"ONE", (0, 0, 1, 0), (0, 0, 2, 0), 0), block(b"TWO", (0, 0, 2, 0), (0, 0, 3, 0), 1)
    ),
    "not in time order": stl(
        block(b"TWO", (0, 0, 3, 0), (0, 0, 4, 0), 0), block(b"ONE", (0, 0, 1, 0), (0, 0, 2, 0), 1)
    ),
    "cut within a block": stl(block(b"HELLO"))[:-50],
    "no blocks": header(blocks=0),
    "currency and quotes": stl(block(b"\xa4 \xa9x\xb9 \xaax\xba")),
    "no-break space of the table": stl(block(b"A\xa0B")),
    "frames out of range": stl(block(b"HELLO", (0, 0, 1, 40), (0, 0, 3, 0))),
    "an unknown rate": stl(block(b"HELLO", (0, 0, 1, 12), (0, 0, 2, 12)), rate=b"STL99.01"),
    "rows of the header": stl(block(b"HELLO", row=2), rows=b"11"),
}

_SPACES = "Spaces part words, also beside a change of style."
_LOSES = "Nothing is lost; ttconv shows the first of both only."
TTCONV: dict[str, str] = {
    "programme from ten o'clock": "The start of the programme becomes zero, and the import says so.",
    "frames of 30": "Addresses of drop frame are times of the clock, to two milliseconds.",
    "italics": _SPACES,
    "underlining": _SPACES,
    "spaces between words": _SPACES,
    "comment": "Comments are for translators and not shown (3264-E, CF).",
    "cumulative": "What is shown bit by bit is one caption from its beginning, and the import says so.",
    "an end before the beginning": "It can be read, so it is, and the import says what is wrong with it.",
    "two at once": _LOSES,
    "two at once in one place": _LOSES,
    "not in time order": "Captions are in time order; ttconv loses those that come too late.",
    "cut within a block": "What is there is read.",
    "currency and quotes": "The table has “$” at A4 (3264-E, appendix 2).",
}


@pytest.mark.parametrize("rule", RULES)
def test_the_screen_as_ttconv_shows_it(rule: str) -> None:
    ours, theirs = our_screens(RULES[rule]), ttconv_stl(RULES[rule])
    assert alike(ours, theirs, WITHIN_MS) is (rule not in TTCONV), (ours, theirs)
