"""What an import changed in the captions it read: counts, which `imports/notes.py` puts into sentences."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipelines.captions.limits import SPEAKERS_MAX

Rows = list[tuple[int, str]]
"""Rows of a file with their numbers, from 1."""


@dataclass(slots=True)
class ImportReport:
    """Counts of how the captions differ from the file. Readers add to it."""

    # Damage.
    left_out: int = 0
    """Characters of text that no caption has."""
    broken_rows: list[int] = field(default_factory=list)
    """Where XML stops being well-formed."""
    not_xml: int = 0
    """Signs that XML does not allow and that were read all the same."""
    bad_rows: Rows = field(default_factory=list)
    """Rows that look like times but cannot be read."""
    unread_rows: Rows = field(default_factory=list)
    """Other rows that cannot be read."""
    foreign_bytes: int = 0
    foreign_page: str = ""
    page: str = ""
    """The code page of a file that fits another language than the one it is said to have."""
    unknown_letters: int = 0
    """Letters that the file's character table does not have."""
    # What only some forms have.
    has_no_scc_head: bool = False
    wrong_check_bits: int = 0
    never_shown: list[str] = field(default_factory=list)
    """Captions that an SCC file erases before it shows them."""
    overwritten: int = 0
    """Letters of an SCC file where another one is written later."""
    other_channels: int = 0
    """Letters for channels of an SCC file that were not read."""
    rolled_rows: int = 0
    """Rows of an SCC file that came while others were on the screen."""
    keeps_screen: bool = False
    """Those others were read again with them."""
    other_languages: int = 0
    """Letters of a SAMI file in languages that were not read."""
    has_no_rate: bool = False
    """The file counts frames and does not say how many a second has."""
    programme_start_ms: int = 0
    """The time of the file that became zero."""
    # Times and places.
    untimed_paragraphs: int = 0
    """Paragraphs of TTML without a time, which start at zero."""
    has_preamble: bool = False
    """There is text before the first time, which became a caption of its own."""
    joined: int = 0
    displaced: int = 0
    """Captions that stood at another place than the one they were joined with."""
    shortened: int = 0
    built_up: int = 0
    """Captions that the file shows bit by bit."""
    changing: list[int] = field(default_factory=list)
    """Captions whose text changes while they are shown: as how many each was read."""
    without_end: int = 0
    parts: list[int] = field(default_factory=list)
    before_zero: int = 0
    cut_end: int = 0
    # Looks, words and speakers.
    formatted: int = 0
    part_styles: int = 0
    """Words that are italic, bold or underlined in a part only."""
    untimed: int = 0
    """Lines of our own form whose words do not fit their text."""
    speakers: dict[str, str] = field(default_factory=dict)
    """Labels by the names of the file, in order of appearance."""
    unnumbered: set[str] = field(default_factory=set)

    def label_of(self, name: str) -> str | None:
        """The label of a speaker, a new one for a new name. None when all labels are taken."""
        if name not in self.speakers and len(self.speakers) < SPEAKERS_MAX:
            self.speakers[name] = f"S{len(self.speakers) + 1}"
        if name not in self.speakers:
            self.unnumbered.add(name)
        return self.speakers.get(name)
