"""Errors as people see them: a sentence and a status, rendered in one place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DatabaseError, DataError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Scope

from api.platform.db.failures import is_damaged, is_disk_full
from api.platform.http.fields import field_sentence
from api.platform.http.openai_errors import OPENAI_PREFIX, in_openai_form
from api.platform.http.repeat import ask_to_repeat, lost_to_another
from api.platform.http.translation import in_language_of_page
from cluster.sizes import MB
from cluster.storage.objects import StorageUnavailable
from cluster.wording.message import Message

log = structlog.get_logger(__name__)

CSRF_MISMATCH = 419
"""The status the front end expects when the anti-forgery token is missing or stale (Laravel's own)."""


class ApiError(Exception):
    """An answer other than success.

    People read `message`. Pages branch on `code`, which is empty when the status says enough. `errors` has the
    sentences by field.
    """

    status_code = 400
    code = ""
    message: str = Message("http.api_error", "The request could not be understood. Check it and try again.")

    def __init__(
        self,
        message: str | None = None,
        *,
        errors: dict[str, list[str]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message or self.message)
        self.message = message or self.message
        self.errors = errors
        self.headers = headers

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"message": self.message}
        if self.code:
            body["code"] = self.code
        if self.errors:
            body["errors"] = self.errors
        return body


class NotSignedIn(ApiError):
    status_code = 401
    message = Message("http.not_signed_in", "You are not signed in. Sign in and try again.")


class Forbidden(ApiError):
    """Only for missing rights: the admin area, or a role in a team. All other refusals are 402 or 422."""

    status_code = 403
    message: str = Message("http.forbidden", "You dont have enough permission to access this route.")


class NotFound(ApiError):
    status_code = 404
    message = Message("http.not_found", "We could not find what you asked for. It may have been deleted.")


class Conflict(ApiError):
    """The code `email_unverified` is reserved for the one conflict that leads to another page."""

    status_code = 409


class CsrfMismatch(ApiError):
    status_code = CSRF_MISMATCH
    message = Message("http.csrf_mismatch", "Your page is out of date. Reload it and try again.")


class TooSlow(ApiError):
    status_code = 408
    message = Message("http.too_slow", "The request did not arrive in time. Check your connection and try again.")


class TooLarge(ApiError):
    status_code = 413

    def __init__(self, limit: int) -> None:
        """`limit` in bytes."""
        super().__init__(
            Message(
                "http.too_large",
                "This is larger than the {limit:g} MB accepted here. Send less at once.",
                limit=limit / MB,
            )
        )


class Invalid(ApiError):
    status_code = 422

    @classmethod
    def field(cls, name: str, sentence: str) -> Invalid:
        return cls(sentence, errors={name: [sentence]})


class NotYourTeam(Invalid):
    """Not a 403: no right is missing. The page still names a team that the person has left."""

    code = "not_your_team"
    message = Message("http.not_your_team", "The active team is not one of yours. Choose another team.")


class TooManyRequests(ApiError):
    status_code = 429

    def __init__(self, message: str, *, retry_after_s: int) -> None:
        super().__init__(message, headers={"Retry-After": str(retry_after_s)})


class Unavailable(ApiError):
    status_code = 503
    message: str = Message(
        "http.unavailable", "The service is busy or restarting. Nothing was lost; try again in a moment."
    )


class NoRoom(ApiError):
    status_code = 507
    message = Message(
        "http.no_room", "The server's disk is full, so nothing was saved. Tell the people who run this service."
    )


class Damaged(ApiError):
    status_code = 503
    message = Message(
        "http.damaged",
        "The database of this installation is damaged, so nothing was saved. Tell the people who run it: they can "
        "restore a backup.",
    )


NOT_STORABLE = Message(
    "http.not_storable", "Something in this request cannot be stored. Check the text and the numbers and try again."
)

OUR_FAULT = Message("http.our_fault", "Something went wrong on our side. Nothing was lost; try again in a moment.")

RETRY_LATER = {"Retry-After": "5"}

ERROR_NAME = "ErrorBody"
ERROR_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "`message` is a sentence for the person, pages branch on `code`, and `errors` names fields.",
    "required": ["message"],
    "properties": {
        "message": {"type": "string"},
        "code": {"type": "string"},
        "errors": {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "string"}}},
    },
}
"""The schema of an error answer in OpenAPI, under `ERROR_NAME` in its components."""

ERROR_RESPONSE: dict[str, Any] = {
    "description": "An error, as a sentence.",
    "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{ERROR_NAME}"}}},
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """A route's `responses=`: each status with the common error body."""
    return {status: ERROR_RESPONSE for status in statuses}


SIGN_IN = ("/login", "/reset-password", "/api/sign-in/", "/api/review/")
"""Where a refusal may be somebody who tries to get in."""
NO_RIGHT = (403, CSRF_MISMATCH)


def _log_refusal(error: ApiError, scope: Scope) -> None:
    """Show attacks to whoever runs an installation. What a limit refuses is left out: a flood would fill the disk."""
    path, status = scope["path"], error.status_code
    is_sign_in = path.startswith(SIGN_IN) and status in (404, 409, 422)
    if is_sign_in or status in NO_RIGHT:
        client = scope.get("client")
        log.info(
            "sign_in.refused" if is_sign_in else "request.refused",
            status=status,
            code=error.code or None,
            method=scope.get("method"),
            path=path,
            network=client[0] if client else None,
        )


def render(error: ApiError, scope: Scope) -> JSONResponse:
    """The answer to a call: its path decides the form of errors, and `Accept-Language` the language of a page's."""
    _log_refusal(error, scope)
    return _answer(scope, error.body(), error.status_code, error.headers)


def _answer(scope: Scope, body: dict[str, Any], status: int, headers: Mapping[str, str] | None = None) -> JSONResponse:
    path = scope["path"]
    body = in_language_of_page(body, path, Headers(scope=scope).get("accept-language"))
    if path.startswith(OPENAI_PREFIX):
        body, status = in_openai_form(body, status)
    return JSONResponse(body, status_code=status, headers=headers)


KNOWN_ERRORS = (OperationalError, InterfaceError, PoolTimeout, DataError, DatabaseError, StorageUnavailable)
"""Errors of the database and the store that mean something for the caller, whatever code they come through."""


def as_api_error(error: Exception, scope: Scope) -> ApiError:
    """What one of `KNOWN_ERRORS` means for the caller. Logs it. Raises it again where it is a defect of ours."""
    if is_disk_full(error):
        log.error("database.disk_full", path=scope["path"])
        return NoRoom()
    if is_damaged(error):
        log.error("database.damaged", path=scope["path"], error=str(error.__cause__))
        return Damaged()
    if isinstance(error, DataError):
        # Schemas refuse what columns cannot hold. This catches what they miss.
        log.warning("database.refused_value", path=scope["path"], error=type(error.orig).__name__)
        return Invalid(NOT_STORABLE)
    if isinstance(error, DatabaseError) and not isinstance(error, OperationalError):
        raise error
    if isinstance(error, StorageUnavailable):
        log.error("storage.unavailable", path=scope["path"], error=str(error))
    else:
        log.error("database.unavailable", path=scope["path"], error=type(error).__name__)
    return Unavailable(headers=RETRY_LATER)


def install_error_handlers(app: FastAPI) -> None:
    @app.exception_handler(ApiError)
    async def _api_error(request: Request, error: ApiError) -> JSONResponse:
        return render(error, request.scope)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        errors: dict[str, list[str]] = {}
        for problem in error.errors():
            field, sentence = field_sentence(problem)
            errors.setdefault(field, []).append(sentence)
        first = next(iter(errors.values()))[0]
        return render(Invalid(first, errors=errors), request.scope)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        message = NotFound.message if error.status_code == 404 else str(error.detail)
        return _answer(request.scope, {"message": message}, error.status_code, error.headers)

    async def _known(request: Request, error: Exception) -> JSONResponse:
        if lost_to_another(error):
            ask_to_repeat(request)
        return render(as_api_error(error, request.scope), request.scope)

    for kind in KNOWN_ERRORS:
        app.add_exception_handler(kind, _known)

    @app.exception_handler(Exception)
    async def _unexpected(request: Request, error: Exception) -> JSONResponse:
        log.exception("request.failed", path=request.url.path, error=type(error).__name__)
        return _answer(request.scope, {"message": OUR_FAULT}, 500)
