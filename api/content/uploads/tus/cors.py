"""CORS: our own pages may send cookies from another origin, all others only a token."""

from __future__ import annotations

from starlette.datastructures import Headers

METHODS = "POST, HEAD, PATCH, DELETE, OPTIONS"
READABLE = (
    "Location, Upload-Offset, Upload-Length, Upload-Defer-Length, Upload-Metadata, Upload-Expires, Upload-Concat, "
    "Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, Retry-After"
)
SENDABLE = (
    "Authorization, Content-Type, X-Requested-With, X-HTTP-Method-Override, X-XSRF-TOKEN, X-Active-Team, "
    "X-Request-ID, Tus-Resumable, Upload-Length, Upload-Defer-Length, Upload-Metadata, Upload-Offset, "
    "Upload-Checksum, Upload-Concat"
)
PREFLIGHT_S = 86400


def cors_headers(request: Headers, *, own_origins: frozenset[str], is_preflight: bool) -> dict[str, str]:
    origin = request.get("Origin")
    if origin is None:
        return {}
    headers = {"Access-Control-Expose-Headers": READABLE, "Vary": "Origin"}
    if origin in own_origins:
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
