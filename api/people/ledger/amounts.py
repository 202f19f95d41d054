"""Minutes, bytes, money and dates as people read them."""

from __future__ import annotations

from datetime import datetime

from cluster.sizes import GB, MB


def minutes(seconds: int, *, up: bool = False) -> str:
    """`42 min`; whole minutes, rounded down unless `up`. Less than a minute is given in seconds."""
    if 0 < seconds < 60:
        return f"{seconds} s"
    return f"{-(-seconds // 60) if up else seconds // 60:,} min"


def money(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


def size(count: int) -> str:
    """`1.5 GB`; below a tenth of a gigabyte in megabytes."""
    return f"{count / GB:,.1f} GB" if count >= GB // 10 else f"{count / MB:,.1f} MB"


def day(time: datetime) -> str:
    """`1 December 2026`."""
    return f"{time.day} {time:%B %Y}"
