"""A decoder of CEA-608 line 21: byte pairs in, captions out. Source: 47 CFR 15.119 and ANSI/CTA-608-E."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pipelines.captions.forms.form import RollUp
from pipelines.captions.forms.scenarist.codes import BASIC, COLUMNS, EXTENDED, ROWS, SPECIAL
from pipelines.captions.reading.cues import StyledCue
from pipelines.captions.texts.styled_text import Run, plain_text
from pipelines.messages.lines import BOTTOM_CENTRE, NO_STYLES, Lane, LinePlace, WordStyle

_LAST_MS = 4_000
"""How long a caption that nothing erases stays, as in pycaption."""
_PAUSE_MS = 500
"""Text that is painted after a pause of this length is a new state of the screen."""
_POP, _ROLL, _PAINT = "pop-on", "roll-up", "paint-on"

Cell = tuple[str, frozenset[WordStyle]]


@dataclass(slots=True)
class _Memory:
    """Text in rows 1 to 15 and columns 0 to 31, and when it began to be shown."""

    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    since_ms: int | None = None
    written_ms: int = 0
    """When the last letter came."""


class Decoder:
    """The state of a caption decoder. `cues` has what was on the screen."""

    def __init__(self, channel: int, roll_up: RollUp = RollUp.ONCE) -> None:
        self.cues: list[StyledCue] = []
        self._keeps_screen = roll_up is RollUp.SCREEN
        self._depth = 2
        """Rows of a screen that rolls up."""
        self._latest: list[int] = []
        """The cues of the screen that ended last, by their index."""
        self._shown, self._hidden = _Memory(), _Memory()
        self._mode = _POP
        self._row, self._column = 15, 0
        self._styles: frozenset[WordStyle] = NO_STYLES
        self._last: tuple[int, int] | None = None
        self._channel = channel
        self._is_mine = True
        self.has_colours = False
        self.never_shown: list[str] = []
        """Captions that the file erases before it shows them."""
        self.overwritten = 0
        """Letters where another one was written later."""
        self.elsewhere = 0
        """Letters for another channel."""
        self.rolls = 0
        """Rows that came while others were on the screen."""

    def take(self, first: int, second: int, now_ms: int) -> None:
        """Two bytes without their parity bits."""
        if 0x10 <= first <= 0x1F:
            repeats, self._last = self._last == (first, second), (first, second)
            if repeats:
                # Every code is sent twice, and counts once.
                self._last = None
                return
            self._is_mine = first & 0x08 == self._channel
            if self._is_mine:
                self._code(first & ~0x08, second, now_ms)
            return
        self._last = None
        for code in (first, second):
            if not self._is_mine:
                self.elsewhere += code > 0x20
            elif code >= 0x20:
                self._write(BASIC.get(code, chr(code)), now_ms)

    def finish(self, now_ms: int) -> None:
        """Show what is left at the end of the file, so that no text is lost."""
        if self._shown.since_ms is not None:
            self._clear_screen(max(now_ms, self._shown.since_ms + _LAST_MS))
        if self._hidden.rows:
            self._shown, self._hidden = self._hidden, _Memory()
            self._shown.since_ms = now_ms
            self._clear_screen(now_ms + _LAST_MS)

    def _code(self, first: int, second: int, now_ms: int) -> None:
        if 0x40 <= second <= 0x7F:
            self._address(first, second)
        elif first == 0x11 and 0x20 <= second <= 0x2F:
            self._set_styles(second & 0x0F)
            self._write(" ", now_ms)
        elif first == 0x11 and 0x30 <= second <= 0x3F:
            self._write(SPECIAL[second - 0x30], now_ms)
        elif first in EXTENDED and 0x20 <= second <= 0x3F:
            # It replaces the simpler letter before it, which older decoders show.
            self._backspace()
            self._write(EXTENDED[first][second - 0x20], now_ms)
        elif first == 0x17 and 0x21 <= second <= 0x23:
            self._column = min(COLUMNS - 1, self._column + second - 0x20)
        elif first in (0x14, 0x15) and 0x20 <= second <= 0x2F:
            self._control(second, now_ms)

    def _control(self, code: int, now_ms: int) -> None:
        if code == 0x20:
            self._mode = _POP
        elif code == 0x21:
            self._backspace()
        elif code in (0x25, 0x26, 0x27):
            if self._mode != _ROLL:
                self._clear_screen(now_ms)
                self._row, self._column = 15, 0
            self._mode, self._depth = _ROLL, code - 0x23
        elif code == 0x29:
            if self._mode != _PAINT:
                self._clear_screen(now_ms)
            self._mode = _PAINT
        elif code == 0x28:
            # Flashing text begins; the code takes a column.
            self._write(" ", now_ms)
        elif code == 0x2C:
            self._clear_screen(now_ms)
        elif code == 0x2D and self._mode == _ROLL:
            self._roll(now_ms)
        elif code == 0x2E:
            text = plain_text(_runs(self._hidden)).strip()
            self.never_shown.extend([text] if text else [])
            self._hidden = _Memory()
        elif code == 0x2F:
            self._clear_screen(now_ms)
            self._mode = _POP
            self._shown, self._hidden = self._hidden, _Memory()
            self._shown.since_ms = now_ms

    def _address(self, first: int, second: int) -> None:
        rows = ROWS.get(first)
        if rows is None:
            return
        row = rows[second >= 0x60]
        if self._mode == _ROLL:
            # The rows move along with the lowest one, which leaves room for those above it.
            row = max(row, self._depth)
            moved = {at + row - self._row: cells for at, cells in self._shown.rows.items()}
            self._shown.rows = {at: cells for at, cells in moved.items() if at >= 1}
        self._row = row
        attribute = (second & 0x1E) >> 1
        self._column = (attribute - 8) * 4 if attribute >= 8 else 0
        self._set_styles(0x0E | second & 1 if attribute == 7 else second & 1)
        self.has_colours = self.has_colours or 1 <= attribute <= 6

    def _set_styles(self, code: int) -> None:
        italic = {WordStyle.ITALIC} if code & 0x0E == 0x0E else set()
        underline = {WordStyle.UNDERLINE} if code & 1 else set()
        self._styles = frozenset(italic | underline) or NO_STYLES

    def _memory(self) -> _Memory:
        return self._hidden if self._mode == _POP else self._shown

    def _write(self, letter: str, now_ms: int) -> None:
        if self._keeps_screen and self._mode == _PAINT and now_ms - self._shown.written_ms > _PAUSE_MS:
            self._end_screen(now_ms)
        memory = self._memory()
        if memory.since_ms is None and self._mode != _POP:
            memory.since_ms = now_ms
        memory.written_ms = now_ms
        row = memory.rows.setdefault(self._row, {})
        column = self._column
        if column >= COLUMNS:
            # The last column is overwritten on a screen. Here nothing is lost.
            column = max(row, default=COLUMNS - 1) + 1
        self.overwritten += column in row and bool(row[column][0].strip())
        row[column] = (letter, self._styles)
        self._column = column + 1

    def _backspace(self) -> None:
        row = self._memory().rows.get(self._row)
        if row and self._column:
            self._column -= 1
            row.pop(self._column, None)

    def _roll(self, now_ms: int) -> None:
        """Move the rows up by one, for the next one below them."""
        self.rolls += self._row in self._shown.rows
        if self._keeps_screen:
            self._end_screen(now_ms)
            top = self._row - self._depth + 1
            self._shown.rows = {at - 1: cells for at, cells in self._shown.rows.items() if at > top}
        else:
            self._clear_screen(now_ms)
        self._column, self._styles = 0, NO_STYLES

    def _clear_screen(self, now_ms: int) -> None:
        self._end_screen(now_ms)
        self._shown = _Memory()

    def _end_screen(self, now_ms: int) -> None:
        """End the cues of what is on the screen, which begins anew with the same rows."""
        shown = self._shown
        if shown.since_ms is None:
            return
        self._shown = _Memory({row: dict(cells) for row, cells in shown.rows.items()}, now_ms, now_ms)
        parts = [
            StyledCue(shown.since_ms, max(now_ms, shown.since_ms + 1), _runs(each), _place(each))
            for each in _parts(shown)
        ]
        former, self._latest = self._latest, []
        is_shared = len(parts) > 1 or len(former) > 1
        for part in parts:
            same = next((at for at in former if is_shared and _goes_on(self.cues[at], part)), None)
            if same is None:
                self._latest.append(len(self.cues))
                self.cues.append(part)
            else:
                # It was sent again only because another one came or went.
                self._latest.append(same)
                self.cues[same] = replace(self.cues[same], end_ms=part.end_ms)


def _goes_on(cue: StyledCue, part: StyledCue) -> bool:
    return (cue.end_ms, cue.runs, cue.place) == (part.start_ms, part.runs, part.place)


def _parts(memory: _Memory) -> list[_Memory]:
    """The texts of a screen, each in a part of the picture of its own. Rows beside each other belong together."""
    blocks: list[_Memory] = []
    for row in sorted(row for row, cells in memory.rows.items() if any(letter.strip() for letter, _ in cells.values())):
        if blocks and row - 1 in blocks[-1].rows:
            blocks[-1].rows[row] = memory.rows[row]
        else:
            blocks.append(_Memory({row: memory.rows[row]}, memory.since_ms))
    parts: dict[Lane, _Memory] = {}
    for block in blocks:
        place = _place(block)
        parts.setdefault(Lane.BOTTOM if place is None else place.lane, _Memory()).rows.update(block.rows)
    return list(parts.values())


def _runs(memory: _Memory) -> list[Run]:
    runs: list[Run] = []
    for row in sorted(memory.rows):
        cells = memory.rows[row]
        if runs:
            runs.append(Run("\n"))
        end = min(cells, default=0)
        for column in sorted(cells):
            letter, styles = cells[column]
            runs.append(Run(" " * (column > end) + letter, styles))
            end = column + 1
    return runs


def _place(memory: _Memory) -> LinePlace | None:
    rows = [row for row, cells in memory.rows.items() if any(letter.strip() for letter, _ in cells.values())]
    if not rows:
        return None
    starts = min(min(memory.rows[row]) for row in rows)
    ends = max(max(memory.rows[row]) for row in rows)
    height = 2 if max(rows) <= 6 else 1 if max(rows) <= 11 else 0
    column = 0 if starts <= 2 and ends < 20 else 2 if starts > 12 and ends >= 28 else 1
    align = 1 + 3 * height + column
    return None if align == BOTTOM_CENTRE else LinePlace(align)
