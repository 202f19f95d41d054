"""The OpenAPI document. `python -m api.openapi` prints it, and the front end's types are generated from it.

Routes declare their own errors. The errors of everything in front of them (sign-in, the anti-forgery token, bodies,
the host name, the database) are added here, so that no route can forget one.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute

from api.people.api_keys.caller import api_caller, paced_caller
from api.people.auth.browsing import NEVER
from api.people.auth.viewer import CHANGING_METHODS, check_forgery, current_viewer, registered_viewer
from api.platform.http.errors import (
    CSRF_MISMATCH,
    ERROR_NAME,
    ERROR_SCHEMA,
    Forbidden,
    error_responses,
    install_error_handlers,
)
from api.platform.http.hosts import MISDIRECTED
from api.platform.http.openai_errors import OPENAI_PREFIX
from api.platform.realtime.openapi import webhooks
from api.routers import ROUTERS

OF_ALL = frozenset({404, MISDIRECTED, 503})
OF_BODIES = frozenset({400, 408, 413, 422})
OF_SIGNED_IN = frozenset({401, 409, 422})
"""409: the time of a browse-as is over, or the person has not confirmed their address. 422: the active team is not one
of theirs."""
OF_SIGNED_IN_CHANGES = frozenset({403})
"""A viewer in a team may only look."""
OF_KEYS = frozenset({401, 403, 409, 429})
"""No key or one that does not work, a scope that it lacks, an unconfirmed address, and too many calls."""
OF_CHANGES = frozenset({CSRF_MISMATCH})
DOCUMENT = "/api/openapi.json"
_UNUSED = ("HTTPValidationError", "ValidationError")
"""FastAPI's own form of a 422, which our error handler replaces."""


def install_openapi(app: FastAPI) -> None:
    """Serve the whole document at `/openapi.json`, and at `DOCUMENT` beside `/api/docs`, where programs look for it."""
    make = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_errors(make())
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]

    @app.get(DOCUMENT, include_in_schema=False)
    async def document() -> JSONResponse:
        return JSONResponse(openapi())


@cache
def openapi_document() -> dict[str, Any]:
    """The document of every route, built without opening a database. Callers share it."""
    app = FastAPI(title="Sagascript", version="0.1.0", webhooks=webhooks)
    install_error_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    install_openapi(app)
    return app.openapi()


def _with_errors(document: dict[str, Any]) -> dict[str, Any]:
    for route in _routes():
        for method in route.methods or ():
            operation = document["paths"][route.path_format][method.lower()]
            if route.path_format.startswith(OPENAI_PREFIX):
                # Answered as 400.
                operation["responses"].pop("422", None)
            for status, response in error_responses(*_errors(route, method, operation)).items():
                declared = operation["responses"].get(str(status), {})
                if "content" not in declared or "HTTPValidationError" in json.dumps(declared):
                    operation["responses"][str(status)] = response
    for event in document.get("webhooks", {}).values():
        # Browsers do not answer events of the relay.
        event["post"]["responses"].pop("422", None)
    schemas = document["components"]["schemas"]
    for name in _UNUSED:
        schemas.pop(name, None)
    schemas[ERROR_NAME] = ERROR_SCHEMA
    return document


def _routes() -> Iterator[APIRoute]:
    for router in ROUTERS:
        yield from (route for route in router.routes if isinstance(route, APIRoute) and route.include_in_schema)


def _errors(route: APIRoute, method: str, operation: dict[str, Any]) -> Iterable[int]:
    calls = set(_calls(route.dependant))
    statuses = set(OF_ALL)
    if "requestBody" in operation:
        statuses |= OF_BODIES
    if "422" in operation["responses"]:
        statuses.add(422)
    if current_viewer in calls or registered_viewer in calls:
        statuses |= OF_SIGNED_IN
        if method in CHANGING_METHODS:
            statuses |= OF_SIGNED_IN_CHANGES | OF_CHANGES
        if NEVER.fullmatch(route.path_format):
            statuses.add(Forbidden.status_code)
    if api_caller in calls or paced_caller in calls:
        statuses |= OF_KEYS
    if check_forgery in calls:
        statuses |= OF_CHANGES
    if route.path_format.startswith(OPENAI_PREFIX):
        statuses.discard(422)
    return sorted(statuses)


def _calls(dependant: Dependant) -> Iterator[Any]:
    for each in dependant.dependencies:
        yield each.call
        yield from _calls(each)


if __name__ == "__main__":
    json.dump(openapi_document(), sys.stdout, indent=1, sort_keys=True)
