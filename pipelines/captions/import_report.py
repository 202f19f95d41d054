"""What an import changed in the captions it read, as sentences for the person who sent the file."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipelines.captions.limits import LINE_CHARS_MAX, SPEAKERS_MAX
from pipelines.captions.timestamps import format_time

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
    untimed: int = 0
    """Lines of our own form whose words do not fit their text."""
    untimed_paragraphs: int = 0
    """Paragraphs of TTML without a time, which start at zero."""
    programme_start_ms: int = 0
    """The time of the file that became zero."""
    speakers: dict[str, str] = field(default_factory=dict)
    """Labels by the names of the file, in order of appearance."""
    unnumbered: set[str] = field(default_factory=set)
    foreign_bytes: int = 0
    foreign_page: str = ""
    bad_rows: list[tuple[int, str]] = field(default_factory=list)
    """Rows that look like times but cannot be read: the number, from 1, and the row."""

    def label_of(self, name: str) -> str | None:
        """The label of a speaker, a new one for a new name. None when all labels are taken."""
        if name not in self.speakers and len(self.speakers) < SPEAKERS_MAX:
            self.speakers[name] = f"S{len(self.speakers) + 1}"
        if name not in self.speakers:
            self.unnumbered.add(name)
        return self.speakers.get(name)

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
                f"Formatting such as colours or fonts was left out of {_count(self.formatted, 'caption', 'captions')}."
            )
        if self.unnumbered:
            notes.append(
                f"The file names more than {SPEAKERS_MAX} speakers. The other {len(self.unnumbered):,} stand before "
                "their words."
            )
        if self.untimed_paragraphs:
            notes.append(
                f"{_count(self.untimed_paragraphs, 'caption has', 'captions have')} no time and start at zero."
            )
        if self.programme_start_ms:
            notes.append(
                f"The programme of this file starts at {format_time(self.programme_start_ms)}, which is now zero."
            )
        if self.untimed:
            notes.append(
                f"The words of {_count(self.untimed, 'caption', 'captions')} did not fit the text and got estimated "
                "times."
            )
        return notes

    def _bad_rows(self) -> list[str]:
        if not self.bad_rows:
            return []
        shown = "; ".join(f"{number}: “{row.strip()[:_ROW_CHARS]}”" for number, row in self.bad_rows[:_ROWS_SHOWN])
        rest = len(self.bad_rows) - _ROWS_SHOWN
        more = "; …" if rest > 0 else ""
        count = _count(len(self.bad_rows), "row looks like a time but", "rows look like times but")
        return [f"{count} cannot be read as one ({shown}{more}). Check the captions there."]


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
