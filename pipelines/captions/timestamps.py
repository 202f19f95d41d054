"""Caption times: `hh:mm:ss,mmm` in text, whole milliseconds everywhere else."""

from __future__ import annotations

import re

from cluster.wording.message import Message
from pipelines.captions.limits import TIME_MS_MAX

CLOCK = r"(?:(\d{1,3})\s?:\s?)?(\d{1,3})\s?:\s?(\d{1,2})(?:\s?[.,:;]\s?(\d{1,9}))?"
"""Hours may be missing, spaces may surround the signs, and the fraction may have any length, after comma or dot."""

LIKE_A_TIME = re.compile(r"\d\s?:\s?\d", re.ASCII)
"""In a row with an arrow, this was meant as a time, even if it cannot be read as one."""

_CLOCK = re.compile(rf"\s*{CLOCK}\s*", re.ASCII)


class BadTime(ValueError):
    """A text that is not a time. The message is a sentence for the person who wrote it."""


def clock_ms(hours: str | None, minutes: str, seconds: str, fraction: str | None) -> int:
    """Milliseconds of the parts of a time. `fraction` holds the digits after the comma (`5` is half a second)."""
    milliseconds = int((fraction or "0")[:3].ljust(3, "0"))
    return ((int(hours or 0) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + milliseconds


def parse_time(text: str) -> int:
    """Milliseconds of `hh:mm:ss,mmm` in any of its usual spellings. Raises `BadTime` for anything else."""
    found = _CLOCK.fullmatch(text)
    if found is None:
        raise BadTime(f"“{text[:40]}” is not a time. Write it as hh:mm:ss,mmm, for example 00:01:02,500.")
    moment = clock_ms(found[1], found[2], found[3], found[4])
    if moment > TIME_MS_MAX:
        raise BadTime(Message("pipelines.captions.time_too_late", "A caption cannot be later than 99:59:59,999."))
    return moment


def format_time(moment_ms: int, separator: str = ",") -> str:
    """The time as `hh:mm:ss,mmm`, clamped to 0 to `TIME_MS_MAX`."""
    bounded = min(max(moment_ms, 0), TIME_MS_MAX)
    seconds, milliseconds = divmod(bounded, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{separator}{milliseconds:03}"


def ass_time(moment_ms: int) -> str:
    """The time as `h:mm:ss.cc`. ASS has no milliseconds, so both ends of a line are rounded down."""
    seconds, hundredths = divmod(max(0, moment_ms) // 10, 100)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}.{hundredths:02}"


def clock(moment_ms: int) -> str:
    """`12:04`, and `1:02:04` from an hour on."""
    minutes, seconds = divmod(max(0, moment_ms) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
