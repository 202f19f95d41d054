"""A hub on loopback and downloads from it."""

from __future__ import annotations

from serve.testing.downloads import hub, supply

__all__ = ["hub", "supply"]
