"""How large captions may be. Beyond these numbers nobody reads them, and every edit and export would pay for them."""

from __future__ import annotations

LINE_CHARS_MAX = 1_000
"""Characters of one caption line, typed or imported. A line on screen has about 80."""
LINES_MAX = 20_000
"""Lines of one file: a line every 2 s for 11 hours."""
TIME_MS_MAX = 359_999_999
"""99:59:59,999, the last time that SRT can write."""
