"""For load balancers and monitoring: alive, ready, and in figures."""

from __future__ import annotations

import hmac
from typing import cast

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from api.http.errors import NotFound, Unavailable, error_responses
from api.http.state import State
from api.operations.metrics import Metrics
from api.operations.readiness import ReadinessProbe
from api.operations.schemas import Liveness, Readiness
from api.settings import LOOPBACK, ApiSettings

router = APIRouter(tags=["operations"])

FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
"""A request with one of these came through a proxy, so its address says nothing."""


@router.get("/healthz")
async def alive() -> Liveness:
    """Whether the process runs. It asks nothing else, so that a slow database restarts no process."""
    return Liveness(status="ok")


@router.get("/readyz", responses=error_responses(503))
async def ready(request: Request) -> Readiness:
    """Whether people can be sent here. A 503 says what is not ready, in sentences."""
    checks = await cast(ReadinessProbe, request.app.state.readiness).checks()
    problems = {check.name: [check.sentence] for check in checks if check.sentence}
    if problems:
        raise Unavailable(" ".join(sentence for (sentence,) in problems.values()), errors=problems)
    return Readiness(status="ready", checks=[check.name for check in checks])


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, state: State) -> Response:
    """Figures for Prometheus. Without `SAGASCRIPT_METRICS_TOKEN` only this machine may read them."""
    if not _may_read(request, state.settings):
        raise NotFound
    text = await cast(Metrics, request.app.state.metrics).text(state.database)
    return Response(text, media_type=CONTENT_TYPE_LATEST)


def _may_read(request: Request, settings: ApiSettings) -> bool:
    if settings.metrics_token is not None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode("utf-8", "replace"), settings.metrics_token.encode())
    is_direct = not any(name in request.headers for name in FORWARDED)
    return is_direct and request.client is not None and request.client.host in LOOPBACK
