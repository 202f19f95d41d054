"""SCC: rules of CEA-608 and of files, with rows once beside pycaption, and as the screen shows them beside ttconv."""

from __future__ import annotations

import pycaption
import pytest

from pipelines.captions.forms.form import RollUp
from pipelines.testing.reference_readers import alike, our_cues, pycaption_cues, ttconv_scc

WITHIN_MS = 270
"""Pycaption takes the time of a row of codes for all of them; a decoder needs a frame for each pair."""

HEAD = "Scenarist_SCC V1.0\n\n"
RCL, ENM, EOC, EDM, BS = "9420 9420", "94ae 94ae", "942f 942f", "942c 942c", "94a1 94a1"
RU2, RU3, RU4, CR, RDC = "9425 9425", "9426 9426", "94a7 94a7", "94ad 94ad", "9429 9429"
ROW_2, ROW_13, ROW_14, ROW_15 = "9170 9170", "13f4 13f4", "94d0 94d0", "9470 9470"
INDENT, ITALIC_ROW, ITALIC, UPRIGHT, TAB_2, TAB_3 = (
    *("9454 9454", "94ce 94ce", "91ae 91ae", "9120 9120"),
    *("97a2 97a2", "9723 9723"),
)
FIRST, SECOND, THIRD, FOURTH, FIFTH = (f"00:00:0{second}:00" for second in (1, 3, 5, 7, 9))


def letters(text: str) -> str:
    """The pairs of a text, with odd parity."""
    codes = [code | (0x80 if code.bit_count() % 2 == 0 else 0) for code in (text + "\0" * (len(text) % 2)).encode()]
    return " ".join(f"{first:02x}{second:02x}" for first, second in zip(codes[::2], codes[1::2], strict=True))


def row(time: str, *codes: str) -> str:
    return f"{time}\t{' '.join(codes)}\n\n"


def pop(text: str) -> str:
    return f"{RCL} {ENM} {ROW_15} {letters(text)} {EOC}"


def loaded(*codes: str) -> str:
    """A file with one caption of these codes, erased at the second time."""
    return HEAD + row(FIRST, RCL, ENM, *codes, EOC) + row(SECOND, EDM)


HELLO = HEAD + row(FIRST, pop("HELLO")) + row(SECOND, EDM)
RULES: dict[str, str] = {
    # Pop-on.
    "pop-on": HELLO,
    "replaced by the next": HEAD + row(FIRST, pop("ONE")) + row(SECOND, pop("TWO")) + row(THIRD, EDM),
    "never erased": HEAD + row(FIRST, pop("ONE")),
    "two rows": loaded(ROW_14, letters("ONE"), ROW_15, letters("TWO")),
    "two rows apart": loaded(ROW_2, letters("SIGN"), ROW_15, letters("TALK")),
    "three rows": loaded(ROW_13, letters("ONE"), ROW_14, letters("TWO"), ROW_15, letters("THREE")),
    "loaded long before": HEAD + row(FIRST, RCL, ENM, ROW_15, letters("HELLO ")) + row(SECOND, EOC) + row(THIRD, EDM),
    "loaded in two runs": HEAD
    + row(FIRST, RCL, ENM, ROW_15, letters("ON"))
    + row("00:00:02:00", letters("E TWO "), EOC)
    + row(THIRD, EDM),
    "erased before it is shown": loaded(ROW_15, letters("LOST"), ENM, ROW_15, letters("KEPT")),
    "flipped twice": HEAD + row(FIRST, pop("ONE")) + row(SECOND, EOC) + row(THIRD, EOC) + row(FOURTH, EDM),
    "hidden memory that nobody erases": HEAD
    + row(FIRST, RCL, ROW_15, letters("ONE "), EOC)
    + row(SECOND, RCL, ROW_15, letters("TWO "), EOC)
    + row(THIRD, EDM),
    "erased at once": HEAD + row(FIRST, pop("HELLO"), EDM) + row(SECOND, pop("NEXT")) + row(THIRD, EDM),
    # Columns, letters and styles.
    "indent": loaded(INDENT, letters("HELLO")),
    "tab after an indent": loaded(INDENT, TAB_2, letters("HELLO")),
    "tab inside a row": loaded(ROW_15, letters("ONE"), TAB_3, letters("TWO ")),
    "italics by the address": loaded(ITALIC_ROW, letters("HELLO")),
    "italics within a row": loaded(ROW_15, letters("ON"), ITALIC, letters("TWO"), UPRIGHT, letters("THREE ")),
    "colour within a row": loaded(ROW_15, "91a1 91a1", letters("GREEN ")),
    "flashing text": loaded(ROW_15, letters("ON"), "94a8 94a8", letters("OFF ")),
    "a special letter": loaded(ROW_15, letters("NO"), "9137 9137", letters("TE")),
    "an extended letter": loaded(ROW_15, letters("CAFE"), "92a1 92a1"),
    "letters other than ASCII's": loaded(ROW_15, letters("A*\\^_`{|}~Z ")),
    "backspace": loaded(ROW_15, letters("HELLOX"), BS, letters("!!")),
    "padding": HEAD + row(FIRST, "8080", RCL, ENM, "8080", ROW_15, letters("HELLO "), "8080", EOC) + row(SECOND, EDM),
    "odd numbers of letters": loaded(ROW_15, letters("ABC"), letters("DE")),
    "spaces before and after": loaded(ROW_15, letters("  HELLO ")),
    "spaces between words": loaded(ROW_15, letters("A    B")),
    "more than 32 letters": loaded(ROW_15, letters("x" * 40)),
    "delete to the end of the row": loaded(ROW_15, letters("HELLO "), INDENT, "94a4 94a4"),
    "codes sent once": HEAD + row(FIRST, "9420", "94ae", "9470", letters("HELLO"), "942f") + row(SECOND, "942c"),
    # Roll-up.
    "roll-up of two": HEAD
    + row(FIRST, RU2, CR, ROW_15, letters("ONE"))
    + row(SECOND, RU2, CR, ROW_15, letters("TWO"))
    + row(THIRD, RU2, CR, ROW_15, letters("THREE"))
    + row(FIFTH, EDM),
    "roll-up of three": HEAD
    + row(FIRST, RU3, CR, ROW_15, letters("ONE"))
    + row(SECOND, CR, letters("TWO"))
    + row(THIRD, CR, letters("THREE"))
    + row(FOURTH, CR, letters("FOUR"))
    + row(FIFTH, EDM),
    "roll-up of four": HEAD
    + row(FIRST, RU4, CR, ROW_15, letters("ONE"))
    + row(SECOND, CR, letters("TWO"))
    + row(THIRD, CR, letters("THREE"))
    + row(FOURTH, CR, letters("FOUR"))
    + row(FIFTH, EDM),
    "roll-up at the top": HEAD
    + row(FIRST, RU2, CR, ROW_2, letters("ONE"))
    + row(SECOND, CR, letters("TWO"))
    + row(FIFTH, EDM),
    "roll-up in two runs": HEAD
    + row(FIRST, RU2, CR, ROW_15, letters("ONE "))
    + row(SECOND, letters("MORE"))
    + row(THIRD, CR, letters("TWO"))
    + row(FIFTH, EDM),
    "roll-up without a carriage return first": HEAD
    + row(FIRST, RU2, ROW_15, letters("ONE"))
    + row(SECOND, CR, letters("TWO"))
    + row(FIFTH, EDM),
    "roll-up that grows": HEAD
    + row(FIRST, RU2, CR, ROW_15, letters("ONE"))
    + row(SECOND, RU3, CR, letters("TWO"))
    + row(THIRD, CR, letters("THREE"))
    + row(FIFTH, EDM),
    "roll-up, then pop-on": HEAD
    + row(FIRST, RU2, CR, ROW_15, letters("ONE"))
    + row(THIRD, pop("TWO"))
    + row(FIFTH, EDM),
    "pop-on, then roll-up": HEAD
    + row(FIRST, pop("ONE"))
    + row(THIRD, RU2, CR, ROW_15, letters("TWO"))
    + row(FIFTH, EDM),
    "roll-up that is erased": HEAD
    + row(FIRST, RU2, CR, ROW_15, letters("ONE"))
    + row(SECOND, EDM)
    + row(THIRD, CR, letters("TWO"))
    + row(FIFTH, EDM),
    # Paint-on.
    "paint-on": HEAD + row(FIRST, RDC, ROW_15, letters("HELLO ")) + row(SECOND, EDM),
    "paint-on in two runs": HEAD
    + row(FIRST, RDC, ROW_15, letters("HELLO "))
    + row(SECOND, letters("WORLD "))
    + row(THIRD, EDM),
    "paint-on, two rows": HEAD
    + row(FIRST, RDC, ROW_14, letters("ONE"))
    + row(SECOND, ROW_15, letters("TWO"))
    + row(THIRD, EDM),
    "paint-on, begun again": HEAD
    + row(FIRST, RDC, ROW_15, letters("ONE"))
    + row(SECOND, EDM, RDC, ROW_15, letters("TWO"))
    + row(THIRD, EDM),
    "paint-on after pop-on": HEAD + row(FIRST, pop("ONE")) + row(SECOND, RDC, ROW_15, letters("TWO")) + row(THIRD, EDM),
    # Channels, times and files.
    "text mode": HEAD + row(FIRST, "942a 942a", letters("TEXT ")) + row(SECOND, pop("HELLO")) + row(THIRD, EDM),
    "the second channel": HEAD
    + row(FIRST, "1c20 1c20 1cae 1cae 1c70 1c70", letters("HELLO "), "1c2f 1c2f")
    + row(SECOND, "1c2c 1c2c"),
    "drop frame": HEAD + row("00:01:01;02", pop("HELLO")) + row("00:01:03;02", EDM),
    "no drop frame": HEAD + row("00:10:01:00", pop("HELLO")) + row("00:10:03:00", EDM),
    "from a full hour": HEAD + row("01:00:01:00", pop("HELLO")) + row("01:00:03:00", EDM),
    "codes in capital letters": HEAD + row(FIRST, pop("HELLO").upper()) + row(SECOND, EDM),
    "carriage returns": HELLO.replace("\n", "\r\n"),
    "a space for the tab": HELLO.replace("\t", " "),
    "no blank rows": HELLO.replace("\n\n", "\n"),
    "no header": HELLO.removeprefix(HEAD),
    "the header alone": HEAD,
    "an empty file": "",
    "a time without codes": HEAD + row(FIRST, pop("HELLO")) + row(SECOND) + row(THIRD, EDM),
}

_COLUMNS = "Columns that nothing is written into part two words on a screen."
_HOUR = "A tape starts at a full hour. It becomes zero, and the import says so."
_READ = "It can be read, so it is, and the import says what is wrong with it."
PYCAPTION: dict[str, str] = {
    "tab inside a row": _COLUMNS,
    "roll-up that is erased": "A row that comes after the screen was erased begins when it comes.",
    "from a full hour": _HOUR,
    "no header": _READ,
    "more than 32 letters": "A row that is too long is kept whole; pycaption refuses the file.",
    "the second channel": "The channel with most letters is read; pycaption knows the first one only.",
}
TTCONV: dict[str, str] = {
    "two rows apart": "Texts in different parts of the picture are captions of their own.",
    "tab inside a row": _COLUMNS,
    "flipped twice": "A text that is sent once is one caption, also where a television would flip it back.",
    "flashing text": "The code takes a column, which parts two words.",
    "paint-on in two runs": "Text that is painted after a pause is a new state of the screen.",
    "from a full hour": _HOUR,
    "a space for the tab": _READ,
    "the second channel": "The channel with most letters is read; ttconv reads the first one only.",
}


@pytest.mark.parametrize("rule", RULES)
def test_rows_once_as_pycaption_reads_them(rule: str) -> None:
    raw = RULES[rule].encode()
    theirs = pycaption_cues(pycaption.SCCReader, raw)
    assert alike(our_cues(raw), theirs, WITHIN_MS) is (rule not in PYCAPTION), (our_cues(raw), theirs)


@pytest.mark.parametrize("rule", RULES)
def test_the_screen_as_ttconv_reads_it(rule: str) -> None:
    raw = RULES[rule].encode()
    ours, theirs = our_cues(raw, RollUp.SCREEN), ttconv_scc(raw)
    assert alike(ours, theirs, WITHIN_MS) is (rule not in TTCONV), (ours, theirs)
