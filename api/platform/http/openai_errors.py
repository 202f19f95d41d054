"""Errors under `/v1/` in the form of OpenAI's API, which its clients know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

OPENAI_PREFIX = "/v1/"

OPENAI_STATUSES = {402: 429, 422: 400}
"""Statuses that OpenAI's API has no use for, and what it answers instead."""
_CODES = {"quota_exceeded": "insufficient_quota", "key_quota_exceeded": "insufficient_quota"}


class OpenAiError(BaseModel):
    """`param` is the field of the request that is wrong."""

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAiErrorBody(BaseModel):
    error: OpenAiError


def in_openai_form(body: Mapping[str, Any], status: int) -> tuple[dict[str, Any], int]:
    """The body and the status of one of our errors as OpenAI's API gives them."""
    status = OPENAI_STATUSES.get(status, status)
    code = body.get("code")
    error = OpenAiError(
        message=body["message"],
        type=_type_of(status),
        param=next(iter(body.get("errors") or {}), None),
        code=_CODES.get(code, code) if code else None,
    )
    return OpenAiErrorBody(error=error).model_dump(), status


def openai_error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """A route's `responses=`."""
    return {
        status: {"model": OpenAiErrorBody, "description": "An error in the form of OpenAI's API."}
        for status in statuses
    }


def _type_of(status: int) -> str:
    if status >= 500:
        return "server_error"
    return "rate_limit_error" if status == 429 else "invalid_request_error"
