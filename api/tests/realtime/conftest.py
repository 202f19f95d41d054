from __future__ import annotations

from api.testing.realtime.clients import clients, web

__all__ = ["clients", "web"]
