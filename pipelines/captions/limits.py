"""How large captions may be. Nobody reads larger ones, and they would slow every edit and export."""

from __future__ import annotations

LINE_CHARS_MAX = 1_000
"""Characters of one caption line, typed or imported. A line on screen has about 80."""
LINES_MAX = 20_000
"""Lines of one track: a line every 2 s for 11 hours."""
BULK_LINES_MAX = LINES_MAX
"""Lines that one change of many lines names: all of the longest track, which a shift moves together."""
TIME_MS_MAX = 359_999_999
"""99:59:59,999, the latest time that SRT can express."""

FILE_CHARS_MAX = 2_000_000
"""Characters of all imported lines together: `LINES_MAX` lines of 100."""
FILE_WORDS_MAX = 400_000
"""Words of all imported lines together. Each word is stored with its times, in about 95 bytes."""

SPEAKERS_MAX = 20
"""Speakers of one file."""
SPEAKER_NAME_MAX = 80
"""Characters of a speaker's name."""

COMPARED_PAIRS_MAX = 100_000
"""Pairs of words that one edit compares. 100,000 take about 30 ms in pure Python."""
IMPORT_PAIRS_MAX = 2_000_000
"""Pairs of words that one import compares in all: 8 words against 8 in each of 20,000 lines are 1,280,000."""

HISTORY_STEPS_MAX = 200
"""Changes of one track that can be undone."""
HISTORY_BYTES_MAX = 32_000_000
"""Total size of those changes. An import over 20,000 transcribed lines of 8 words takes about 25 MB."""
