from api.testing.realtime.clients import clients, web

__all__ = ["clients", "web"]
