"""The probes of processes without FastAPI, under the paths and with the answers of the web process."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, request_response

from api.platform.http.errors import ApiError, NotFound, Unavailable
from api.platform.http.hosts import OwnHosts
from api.platform.operations.figures import ProcessFigures
from api.platform.operations.readiness import ReadinessProbe
from api.platform.operations.routes import may_read
from api.platform.operations.schemas import Liveness
from api.platform.settings import ApiSettings


def probe_routes(settings: ApiSettings, probe: ReadinessProbe, figures: ProcessFigures) -> list[BaseRoute]:
    async def alive(_request: Request) -> Response:
        return JSONResponse(Liveness(status="ok").model_dump())

    async def ready(_request: Request) -> Response:
        try:
            return JSONResponse((await probe.answer()).model_dump())
        except Unavailable as problem:
            return _refusal(problem)

    async def metrics(request: Request) -> Response:
        if not may_read(request, settings):
            return _refusal(NotFound())
        return Response(figures.text(), media_type=CONTENT_TYPE_LATEST)

    own = OwnHosts(request_response(metrics), names=settings.host_names, url=settings.base_url)
    return [Route("/healthz", alive), Route("/readyz", ready), Route("/metrics", own)]


def _refusal(error: ApiError) -> Response:
    return JSONResponse(error.body(), error.status_code)
