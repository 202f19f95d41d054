"""For load balancers and monitoring: alive, ready, and in figures."""

from __future__ import annotations

import hmac
from typing import cast

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from api.platform.http.errors import NotFound, error_responses
from api.platform.http.state import State
from api.platform.jobs.dependency import Types
from api.platform.operations.figures import ProcessFigures
from api.platform.operations.metrics import Count, installation_gauges
from api.platform.operations.readiness import ReadinessProbe
from api.platform.operations.schemas import Liveness, Readiness
from api.platform.settings import LOOPBACK, ApiSettings

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
    return await cast(ReadinessProbe, request.app.state.readiness).answer()


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, state: State, types: Types) -> Response:
    """Figures for Prometheus. Without `SAGASCRIPT_METRICS_TOKEN` only this machine may read them."""
    if not may_read(request, state.settings):
        raise NotFound
    figures = cast(ProcessFigures, request.app.state.figures)
    uploads = cast(Count, request.app.state.uploads_in_progress)
    gauges = await installation_gauges(state.database, uploads, tuple(types))
    return Response(figures.text(gauges), media_type=CONTENT_TYPE_LATEST)


def may_read(request: Request, settings: ApiSettings) -> bool:
    """Whether a request may read figures: with the token or, where none is set, from this machine itself."""
    if settings.metrics_token is not None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode("utf-8", "replace"), settings.metrics_token.encode())
    is_direct = not any(name in request.headers for name in FORWARDED)
    return is_direct and request.client is not None and request.client.host in LOOPBACK
