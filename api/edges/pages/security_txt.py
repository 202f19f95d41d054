"""Whom to tell about a weakness of this installation. Source: RFC 9116."""

from __future__ import annotations

from datetime import timedelta

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from api.platform.db.base import utc_now
from api.platform.http.errors import NotFound, error_responses
from api.platform.http.state import State
from cluster.wording.message import Message

NO_CONTACT = Message("pages.no_security_contact", "This installation names nobody to report weaknesses to.")
VALID_DAYS = 180
"""The RFC advises against a year or more. Each answer begins anew: whoever runs the installation stands behind it."""

router = APIRouter(tags=["pages"])


@router.get("/.well-known/security.txt", response_class=PlainTextResponse, responses=error_responses(404))
async def security_txt(state: State) -> PlainTextResponse:
    contact = state.settings.security_contact
    if contact is None:
        raise NotFound(NO_CONTACT)
    base = state.settings.base_url
    rows = (
        f"Contact: {contact}",
        f"Expires: {(utc_now() + timedelta(days=VALID_DAYS)).strftime('%Y-%m-%dT%H:%M:%SZ')}",
        "Preferred-Languages: en, is",
        f"Canonical: {base}/.well-known/security.txt",
        f"Policy: {base}/docs/security",
    )
    return PlainTextResponse("\n".join(rows) + "\n")
