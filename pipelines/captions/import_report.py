"""What an import changed in the captions it read, as sentences for the person who sent the file."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipelines.captions.limits import LINE_CHARS_MAX

_ROWS_SHOWN = 5
_ROW_CHARS = 60


@dataclass(slots=True)
class ImportReport:
    """Counts of how the captions differ from the file. Readers add to it, and `notes` puts it into sentences."""

    shortened: int = 0
    joined: int = 0
    parts: list[int] = field(default_factory=list)
    before_zero: int = 0
    cut_end: int = 0
    formatted: int = 0
    voices: int = 0
    foreign_bytes: int = 0
    foreign_page: str = ""
    bad_rows: list[tuple[int, str]] = field(default_factory=list)
    """Rows that look like times but cannot be read: the number, from 1, and the row."""

    def notes(self) -> list[str]:
        """One sentence for each kind of change, most serious first. Empty when the lines are those of the file."""
        notes = [*self._bad_rows()]
        if self.foreign_bytes:
            notes.append(
                f"{_count(self.foreign_bytes, 'byte is', 'bytes are')} not valid UTF-8 and {_were(self.foreign_bytes)} "
                f"read as {self.foreign_page}. Check the letters there."
            )
        if self.joined:
            notes.append(
                f"{_count(self.joined, 'caption', 'captions')} started together with another one and "
                f"{_were(self.joined)} joined with it."
            )
        if self.shortened:
            notes.append(
                f"{_count(self.shortened, 'caption', 'captions')} overlapped the next one and now "
                f"{'ends' if self.shortened == 1 else 'end'} where it starts."
            )
        if self.parts:
            notes.append(
                f"{_count(len(self.parts), 'caption', 'captions')} had more than {LINE_CHARS_MAX:,} characters and "
                f"{_were(len(self.parts))} split into {sum(self.parts):,} lines."
            )
        if self.before_zero:
            notes.append(f"{_count(self.before_zero, 'time', 'times')} before zero {_were(self.before_zero)} set to 0.")
        if self.cut_end:
            notes.append(
                f"{_count(self.cut_end, 'caption', 'captions')} ended after 99:59:59,999 and now "
                f"{'ends' if self.cut_end == 1 else 'end'} there."
            )
        if self.formatted:
            notes.append(
                f"Formatting such as italics, colours or positions was left out of "
                f"{_count(self.formatted, 'caption', 'captions')}."
            )
        if self.voices:
            notes.append("Names of speakers now stand before their words.")
        return notes

    def _bad_rows(self) -> list[str]:
        if not self.bad_rows:
            return []
        shown = "; ".join(f"row {number}: “{row.strip()[:_ROW_CHARS]}”" for number, row in self.bad_rows[:_ROWS_SHOWN])
        rest = len(self.bad_rows) - _ROWS_SHOWN
        more = f"; and {rest:,} more" if rest > 0 else ""
        count = _count(len(self.bad_rows), "row looks like a time but", "rows look like times but")
        return [f"{count} cannot be read as one ({shown}{more}). Check the captions there."]


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
