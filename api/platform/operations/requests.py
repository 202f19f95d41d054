"""Counts and times of requests, by route, method and status. No label names a person or an object."""

from __future__ import annotations

import time
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_KEY = "sagascript.measured"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
OTHER = "other"
"""The route of requests that no route answered."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@dataclass(slots=True)
class _Measurement:
    route: str = OTHER
    code: int = 500


class RequestMetrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(
            "sagascript_requests", "Answered requests.", ("route", "method", "status"), registry=registry
        )
        self._seconds = Histogram(
            "sagascript_request_seconds",
            "Time to the whole answer, in seconds.",
            ("route", "method"),
            buckets=SECONDS,
            registry=registry,
        )

    def note(self, route: str, method: str, status: int, seconds: float) -> None:
        method = method if method in METHODS else OTHER
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route, method).observe(seconds)


class MeasureRequests:
    """The outermost layer, so that answers of every other layer count."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics) -> None:
        self.app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        measured = scope[_KEY] = _Measurement()
        began = time.perf_counter()

        async def send_and_note(message: Message) -> None:
            if message["type"] == "http.response.start":
                measured.code = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_and_note)
        finally:
            self._metrics.note(measured.route, scope["method"], measured.code, time.perf_counter() - began)


class NoteRoute:
    """The innermost layer: layers between may pass on a copy of the scope, in which the router notes the route."""

    def __init__(self, app: ASGIApp, mounts: tuple[str, ...] = ()) -> None:
        self.app = app
        self._mounts = mounts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        try:
            await self.app(scope, receive, send)
        finally:
            measured = scope.get(_KEY)
            if measured is not None:
                mount = next((mount for mount in self._mounts if path.startswith(mount)), None)
                route = scope.get("route")
                measured.route = mount or getattr(route, "path_format", None) or getattr(route, "path", OTHER)
