"""The calls that clients of the specification make: each is in the OpenAPI document, with its method and path."""

from __future__ import annotations

import re

import pytest

from api.openapi import openapi_document

CALLS = """
GET /sanctum/csrf-cookie
POST /register
POST /login
POST /forgot-password
POST /reset-password
POST /api/email/verify
POST /api/browse-as
POST /api/user/logout
GET /api/user
POST /api/user/settings
PUT /api/user/settings
POST /api/user/create
GET /api/user/billing
PUT /api/user/billing/payment
GET /api/user/stripe/intent
GET /api/user/coupon/{code}
POST /api/user/subscribe
GET /api/user/subscription/cancel
GET /api/user/subscription/uncancel
PUT /api/user/subscription/change/{tier}/{period}
PUT /api/user/subscription/change/cancel
GET /api/files/captions/{id}
GET /api/files/captions/{id}/translations
POST /api/files/captions/{id}/translate
POST /api/files/captions/{id}
DELETE /api/files/captions/{id}/translations
GET /api/files/transcriptions/search/{keyword}
GET /api/files
GET /api/files/videos
GET /api/files/{slug}
PUT /api/files/{slug}
DELETE /api/files/{slug}
DELETE /api/files/delete-multiple
GET /api/video/exports/{slug}
POST /api/video/export/{slug}
GET /api/files/aitext/{id}
POST /api/files/aitext/{id}
DELETE /api/files/aitext/{id}
PATCH /api/files/minutes/{id}
GET /api/files/uploads
GET /api/files/uploads/{ids}
GET /api/files/upload/{id}
POST /api/files/upload
PUT /api/files/upload
DELETE /api/files/upload/{id}
POST /api/files/upload/token
GET /api/tags
POST /api/tags
PUT /api/tags/{slug}
POST /api/broadcasting/auth
GET /api/polling/initiate
POST /api/error/log
""".strip().splitlines()


def shape(path: str) -> str:
    """The path without the names of its parameters."""
    return re.sub(r"\{\w+\}", "{}", path)


@pytest.fixture(scope="module")
def described() -> set[tuple[str, str]]:
    calls = openapi_document()["paths"].items()
    return {(method.upper(), shape(path)) for path, methods in calls for method in methods}


@pytest.mark.parametrize("call", CALLS)
def test_the_document_has_the_call(call: str, described: set[tuple[str, str]]) -> None:
    method, path = call.split()
    assert (method, shape(path)) in described
