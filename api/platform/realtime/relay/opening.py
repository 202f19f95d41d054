"""What a client sends when it connects, over any transport."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qs, urlsplit

PROXIES = frozenset(os.environ.get("FORWARDED_ALLOW_IPS", "127.0.0.1,::1").replace(" ", "").split(","))
"""The proxies to trust for a client's address, from the web server's own variable. `*` trusts everyone."""


@dataclass(frozen=True, slots=True)
class Opening:
    key: str
    protocol: str | None
    origin: str | None
    host: str | None
    forwarded_for: str | None

    @classmethod
    def of(
        cls, *, key: str, query: str, origin: str | None, host: str | None, forwarded_for: str | None = None
    ) -> Self:
        versions = parse_qs(query).get("protocol")
        return cls(key, versions[-1] if versions else None, origin, host, forwarded_for)

    def fits(self, origins: frozenset[str]) -> bool:
        """Browsers send the page's origin, which must be this host or one of ours. Other clients send none."""
        if self.origin is None or self.origin in origins:
            return True
        try:
            return urlsplit(self.origin).netloc == self.host
        except ValueError:
            return False

    def address(self, peer: str) -> str:
        """The client's address, as a trusted proxy reports it."""
        if self.forwarded_for and (peer in PROXIES or "*" in PROXIES):
            return self.forwarded_for.rpartition(",")[2].strip()
        return peer
