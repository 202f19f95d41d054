"""Errors of the front end, each as one log event."""

from __future__ import annotations

from typing import Annotated

import structlog
from fastapi import APIRouter, Request
from pydantic import BaseModel, BeforeValidator, Field

from api.people.auth.address import client_network
from api.people.auth.limits import TryCounter
from api.people.auth.viewer import NoForgery
from api.platform.http.errors import error_responses
from api.platform.http.limits import ERROR_REPORT_MAX

LOGS_PER_MINUTE = 30

log = structlog.get_logger("browser")
router = APIRouter(prefix="/api/error", tags=["error log"])
_logs = TryCounter(LOGS_PER_MINUTE)


def _printable(value: object) -> str:
    """Text without control and direction characters, so that each event stays one line, even with a stack trace."""
    text = "" if value is None else str(value)
    return "".join(letter if letter.isprintable() else " " for letter in text[:ERROR_REPORT_MAX])


Line = Annotated[str, BeforeValidator(_printable)]


class BrowserError(BaseModel):
    error: Line = ""
    class_: Line = Field("", alias="class")
    method: Line = ""
    line: Line = ""


@router.post("/log", status_code=204, dependencies=[NoForgery], responses=error_responses(419, 429))
async def log_browser_error(body: BrowserError, request: Request) -> None:
    _logs.add(client_network(request))
    log.warning("browser.error", error=body.error, where=body.class_, method=body.method, line=body.line)
