"""`/healthz` of the servers that run on their own: the upload server and the relay."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

LIVENESS_PATH = "/healthz"


async def _alive(_request: Request) -> JSONResponse:
    return JSONResponse({"status": "ok"})


def liveness_route() -> Route:
    """Whether the process runs. It looks at nothing else, so that a slow database restarts no process."""
    return Route(LIVENESS_PATH, _alive)
