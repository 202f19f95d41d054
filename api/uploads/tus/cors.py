"""Which pages of other origins may use the upload host: the product's own with cookies, any other with a token only."""

from __future__ import annotations

from starlette.datastructures import Headers

METHODS = "POST, HEAD, PATCH, DELETE, OPTIONS"
READABLE = (
    "Location, Upload-Offset, Upload-Length, Upload-Defer-Length, Upload-Metadata, Upload-Expires, "
    "Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size"
)
SENDABLE = (
    "Authorization, Content-Type, X-Requested-With, X-HTTP-Method-Override, X-XSRF-TOKEN, X-Active-Team, "
    "Tus-Resumable, Upload-Length, Upload-Defer-Length, Upload-Metadata, Upload-Offset"
)
PREFLIGHT_S = 86400


def cors_headers(request: Headers, *, own_origin: str | None, is_preflight: bool) -> dict[str, str]:
    origin = request.get("Origin")
    if origin is None:
        return {}
    headers = {"Access-Control-Expose-Headers": READABLE, "Vary": "Origin"}
    if origin == own_origin:
        headers |= {"Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true"}
    else:
        headers["Access-Control-Allow-Origin"] = "*"
    if is_preflight:
        headers |= {
            "Access-Control-Allow-Methods": METHODS,
            "Access-Control-Allow-Headers": SENDABLE,
            "Access-Control-Max-Age": str(PREFLIGHT_S),
        }
    return headers
