"""The cookie of a reviewer. Browsers send it to the calls of its own link alone, so one browser may review several."""

from __future__ import annotations

import uuid

from fastapi import Response

from api.people.auth.cookies import LONGEST_S
from api.platform.settings import ApiSettings

REVIEWER_COOKIE = "sagascript_reviewer"
PREFIX = "/api/review"


def reviewer_cookie(settings: ApiSettings) -> str:
    return f"__Secure-{REVIEWER_COOKIE}" if settings.is_https else REVIEWER_COOKIE


def set_reviewer_cookie(response: Response, settings: ApiSettings, link_id: uuid.UUID, token: str) -> None:
    """The link's row says how long it is worth anything."""
    response.set_cookie(
        reviewer_cookie(settings),
        token,
        max_age=LONGEST_S,
        path=f"{PREFIX}/{link_id}",
        httponly=True,
        samesite="lax",
        secure=settings.is_https,
    )


def clear_reviewer_cookie(response: Response, settings: ApiSettings, link_id: uuid.UUID) -> None:
    response.delete_cookie(
        reviewer_cookie(settings),
        path=f"{PREFIX}/{link_id}",
        httponly=True,
        samesite="lax",
        secure=settings.is_https,
    )
