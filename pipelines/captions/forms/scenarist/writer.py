"""Write Scenarist closed captions (SCC): pop-on captions of CEA-608, sent early enough to be shown in time.

Source: 47 CFR 15.119 and ANSI/CTA-608-E. Line 21 carries one pair of bytes a frame, so a caption of 60 letters takes
more than a second to send, into a memory that is not shown, until a code shows it at its time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cluster.wording.message import Message, Wording
from pipelines.captions.forms.form import Document
from pipelines.captions.forms.scenarist.codes import COLUMNS, ROWS, SCREEN_ROWS
from pipelines.captions.forms.scenarist.letters import Pair, PairWriter, is_held, shown, with_parity
from pipelines.captions.forms.tape_time import start_frame
from pipelines.captions.lanes import UPWARDS, Screen, screens
from pipelines.captions.texts.speaker_names import with_speakers
from pipelines.captions.texts.styled_text import runs_of
from pipelines.captions.texts.text import clean_text
from pipelines.messages.lines import BOTTOM_CENTRE, NO_STYLES, CaptionLine, Lane, WordStyle
from pipelines.timecode import Counting, address_of

_BASE = 30
_RATE = 30_000 / 1_001
"""Frames a second of NTSC, the only ones that this form counts."""
_LOAD, _ERASE_HIDDEN, _SHOW, _ERASE_SHOWN = (0x14, 0x20), (0x14, 0x2E), (0x14, 0x2F), (0x14, 0x2C)
_SENT_TWICE = 2

Word = tuple[str, frozenset[WordStyle]]


@dataclass(frozen=True, slots=True)
class _Sending:
    """Byte pairs that follow each other, from a frame on."""

    frame: int
    pairs: list[Pair]


def write_scc(document: Document) -> bytes:
    """The captions as pop-on captions of the first channel, at 29.97 frames a second.

    Captions that are on screen together are sent together, once for each change.
    Frames are counted as drop frame, unless the programme's start is not.
    """
    rows = ["Scenarist_SCC V1.0", ""]
    counting, begins = _counting(document)
    for sending in _schedule(screens(_shown_lines(document)), begins)[0]:
        codes = " ".join(f"{with_parity(first):02x}{with_parity(second):02x}" for first, second in sending.pairs)
        rows += [f"{counting.address(sending.frame)}\t{codes}", ""]
    return "\n".join(rows).encode("ascii")


_LONG_ROWS = Wording(
    "captions.scc.long_rows",
    "{count} caption has a row of more than {limit} characters. It is broken where it fits.",
    "{count:,} captions have a row of more than {limit} characters. They are broken where they fit.",
)
_LETTERS = Wording(
    "captions.scc.letters",
    "{count} caption has letters that this form does not have. Similar ones or question marks stand for them.",
    "{count:,} captions have letters that this form does not have. Similar ones or question marks stand for them.",
)
_BOLD = Wording(
    "captions.scc.bold",
    "{count} caption has bold words, which this form does not have. They become upright.",
    "{count:,} captions have bold words, which this form does not have. They become upright.",
)
_LATE = Wording(
    "captions.scc.late",
    "{count} caption shows later than it should: sending it takes longer than the time before it.",
    "{count:,} captions show later than they should: sending them takes longer than the time before them.",
)
_TOGETHER = Wording(
    "captions.scc.together",
    "{count} caption is sent again, because another one appears or goes while it is shown.",
    "{count:,} captions are sent again, because others appear or go while they are shown.",
)
_CUT = Wording(
    "captions.scc.cut",
    "{count} caption has more text than a screen of {rows} rows holds. The rest is left out.",
    "{count:,} captions have more text than a screen of {rows} rows holds. The rest is left out.",
)


def scc_losses(document: Document) -> list[str]:
    """What a decoder of this form would not show as it is."""
    lines = _shown_lines(document)
    on_screen = screens(lines)
    texts = [clean_text(line.text).split("\n") for line in lines]
    sentences: list[str] = [Message("pipelines.captions.scc.frames", "Times are counted in frames, 29.97 a second.")]
    counts = {
        _LONG_ROWS: sum(any(len(shown(row)) > COLUMNS for row in rows) for rows in texts),
        _LETTERS: sum(not all(map(is_held, rows)) for rows in texts),
        _BOLD: sum(any(WordStyle.BOLD in word.styles for word in line.words) for line in lines),
        _LATE: _schedule(on_screen, _counting(document)[1])[1],
        _TOGETHER: len(
            {line.id for first, second in pairwise(on_screen) for line in first.lines if line in second.lines}
        ),
        _CUT: sum(sum(len(_rows(line)) for line in screen.lines) > SCREEN_ROWS for screen in on_screen),
    }
    sentences += [wording(count=count, limit=COLUMNS, rows=SCREEN_ROWS) for wording, count in counts.items() if count]
    return sentences


def _counting(document: Document) -> tuple[Counting, int]:
    """How frames are counted, and the one at which the programme starts."""
    start = address_of(document.programme_start)
    counting = Counting(_BASE, drop=start is None or start.drop or round(document.fps) != _BASE)
    return counting, start_frame(document, counting)


def _shown_lines(document: Document) -> list[CaptionLine]:
    lines = with_speakers(document.lines, document.names, document.speakers)
    return sorted((line for line in lines if clean_text(line.text)), key=lambda line: line.start_ms)


# ---- when


def _schedule(shown: Sequence[Screen], begins: int) -> tuple[list[_Sending], int]:
    """What is sent when, in order of time, and how many captions show later than they should. Frame `begins` is 0 s."""
    sent: list[_Sending] = []
    free, clears, late = 0, None, 0
    for screen in shown:
        start = begins + round(screen.start_ms * _RATE / 1000)
        units = _caption(screen.lines)
        length = sum(map(len, units))
        # One that follows at once replaces the former caption without an empty screen between them.
        if clears is not None and clears + _SENT_TWICE > start:
            clears = None
        if clears is not None and clears + _SENT_TWICE <= start - length:
            sent.append(_Sending(max(free, clears), _twice(_ERASE_SHOWN)))
            free, clears = max(free, clears) + _SENT_TWICE, None
        begin = max(free, start - length - (0 if clears is None else _SENT_TWICE))
        pairs = _with_erasure(units, None if clears is None else clears - begin)
        shows = begin + len(pairs)
        late += shows > start
        sent.append(_Sending(begin, [*pairs, *_twice(_SHOW)]))
        free = shows + _SENT_TWICE
        clears = max(free, begins + round(screen.end_ms * _RATE / 1000))
    if clears is not None:
        sent.append(_Sending(clears, _twice(_ERASE_SHOWN)))
    return sent, late


def _with_erasure(units: Sequence[Sequence[Pair]], at: int | None) -> list[Pair]:
    """The pairs of a caption and, about `at` pairs from the first, what empties the screen; None for nothing."""
    pairs: list[Pair] = []
    for unit in units:
        if at is not None and len(pairs) >= at:
            pairs += _twice(_ERASE_SHOWN)
            at = None
        pairs += unit
    return pairs if at is None else [*pairs, *_twice(_ERASE_SHOWN)]


def _twice(code: Pair) -> list[Pair]:
    return [code] * _SENT_TWICE


# ---- what


def _caption(lines: Sequence[CaptionLine]) -> list[list[Pair]]:
    """The codes that write a screen into the hidden memory."""
    writer = PairWriter()
    writer.control(*_LOAD)
    writer.control(*_ERASE_HIDDEN)
    free = list(range(1, SCREEN_ROWS + 1))
    for line in sorted(lines, key=lambda line: UPWARDS.index(line.lane)):
        rows = _rows(line)[: len(free)]
        column = (line.place.align if line.place else BOTTOM_CENTRE) - 1
        numbers = _numbers(line.lane, len(rows), free)
        for number, row in zip(numbers, rows, strict=True):
            _write_row(writer, number, row, column % 3)
        free = [number for number in free if number not in numbers]
    return writer.finish()


def _numbers(lane: Lane, count: int, free: Sequence[int]) -> Sequence[int]:
    """The free rows for `count` rows of text: the lowest, the highest, or those about the middle."""
    if lane is Lane.TOP:
        return free[:count]
    if lane is Lane.BOTTOM:
        return free[len(free) - count :]
    first = max(0, min(len(free) - count, SCREEN_ROWS // 2 - count // 2))
    return free[first : first + count]


def _rows(line: CaptionLine) -> list[list[Word]]:
    """Rows of words as a decoder shows them, none wider than the screen."""
    rows: list[list[Word]] = [[]]
    for word, styles, begins_row in _words(line):
        width = sum(len(each) + 1 for each, _ in rows[-1]) + len(word)
        # A style that begins a row takes a column of its own.
        room = COLUMNS - bool(rows[-1] and WordStyle.ITALIC in rows[-1][0][1])
        if rows[-1] and (begins_row or width > room):
            rows.append([])
        while len(word) > COLUMNS:
            rows[-1].append((word[:COLUMNS], styles))
            rows.append([])
            word = word[COLUMNS:]
        rows[-1].append((word, styles))
    return [row for row in rows if row]


def _words(line: CaptionLine) -> Iterator[tuple[str, frozenset[WordStyle], bool]]:
    """The words of a line with their styles, and whether each begins a row of it."""
    word, styles, begins_row = "", NO_STYLES, False
    for run in runs_of(line):
        for letter in run.text:
            if letter not in " \n\t":
                styles = styles if word else run.styles & {WordStyle.ITALIC, WordStyle.UNDERLINE}
                word += letter
                continue
            if word:
                yield shown(word), styles, begins_row
                word, begins_row = "", False
            begins_row = begins_row or letter == "\n"
    if word:
        yield shown(word), styles, begins_row


def _write_row(writer: PairWriter, number: int, row: Sequence[Word], column: int) -> None:
    width = sum(len(word) for word, _ in row) + len(row) - 1
    start = {0: 0, 1: (COLUMNS - width) // 2, 2: COLUMNS - width}[column]
    styles = row[0][1]
    is_italic = WordStyle.ITALIC in styles
    _address(writer, number, start - (is_italic and start > 0), styles)
    if is_italic and start > 0:
        writer.control(0x11, _style_code(styles))
    for index, (word, each) in enumerate(row):
        if index and each != styles:
            # The code itself is shown as a space.
            writer.control(0x11, _style_code(each))
            styles = each
        elif index:
            writer.text(" ")
        writer.text(word)


def _style_code(styles: frozenset[WordStyle]) -> int:
    return (0x2E if WordStyle.ITALIC in styles else 0x20) | (WordStyle.UNDERLINE in styles)


def _address(writer: PairWriter, row: int, column: int, styles: frozenset[WordStyle]) -> None:
    """Go to a row from 1 and a column from 0. At column 0 the code has the styles, elsewhere only the underlining."""
    first, rows = next((first, rows) for first, rows in ROWS.items() if row in rows)
    # Row 11 has only the lower half of its code.
    upper = 0x60 if row == rows[1] and rows[0] != rows[1] else 0x40
    indent, tabs = divmod(column, 4)
    attribute = 7 if column == 0 and WordStyle.ITALIC in styles else 8 + indent
    writer.control(first, upper | attribute << 1 | (WordStyle.UNDERLINE in styles))
    if tabs:
        writer.control(0x17, 0x20 + tabs)
