"""Minutes, bytes and money as people read them."""

from __future__ import annotations

from cluster.sizes import GB, MB
from cluster.wording.message import Wording

_MINUTES = Wording("ledger.minutes", "{count:,} min", "{count:,} min")
_SECONDS = Wording("ledger.seconds", "{count} s", "{count} s")
_MONEY = Wording("ledger.money", "${amount:,.2f}")
_GB = Wording("ledger.gb", "{amount:,.1f} GB")
_MB = Wording("ledger.mb", "{amount:,.1f} MB")


def minutes(seconds: int, *, up: bool = False) -> str:
    """`42 min`; whole minutes, rounded down unless `up`. Less than a minute is given in seconds."""
    if 0 < seconds < 60:
        return _SECONDS(count=seconds)
    return _MINUTES(count=-(-seconds // 60) if up else seconds // 60)


def money(cents: int) -> str:
    return _MONEY(amount=cents / 100)


def size(count: int) -> str:
    """`1.5 GB`; below a tenth of a gigabyte in megabytes."""
    return _GB(amount=count / GB) if count >= GB // 10 else _MB(amount=count / MB)
