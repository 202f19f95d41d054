"""Refuse requests for a host name that is not the installation's own.

Any site can point one of its names at this machine (DNS rebinding), and its pages would then read our answers as their
own. An IP address cannot be pointed elsewhere, so addresses pass.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Collection

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from api.platform.http.translation import in_language_of_page
from cluster.wording.message import Wording

MISDIRECTED = 421
"""RFC 9110, 15.5.20: the server cannot answer for this host."""
SENTENCE = Wording(
    "http.other_host",
    "This installation does not answer under the name {name}. Open it at {url}, or add the name to "
    "SAGASCRIPT_ALLOWED_HOSTS.",
)
PROBES = frozenset({"/api/health", "/healthz", "/readyz"})
"""Answer under any name or none: load balancers probe with arbitrary names, and these reveal nothing private."""
_SHOWN_CHARS = 100


class OwnHosts:
    """Let requests through whose `Host` is an IP address or one of `names`. Answer 421 to all others."""

    def __init__(self, app: ASGIApp, *, names: Collection[str], url: str) -> None:
        self.app = app
        self._names = frozenset(names)
        self._url = url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self.app(scope, receive, send)
            return
        name = host_name(b"".join(value for key, value in scope["headers"] if key == b"host").decode("latin-1"))
        if name in self._names or _is_address(name):
            await self.app(scope, receive, send)
            return
        printable = "".join(letter if letter.isprintable() else "?" for letter in name[:_SHOWN_CHARS]) or "(none)"
        sentence = SENTENCE(name=printable, url=self._url)
        language = Headers(scope=scope).get("accept-language")
        answer = in_language_of_page({"message": sentence}, scope["path"], language)
        body = json.dumps(answer).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": MISDIRECTED, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def host_name(header: str) -> str:
    """The name or address in a `Host` header: lower case, without port, brackets or trailing dot."""
    text = header.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    if text.count(":") == 1:
        text = text.partition(":")[0]
    return text.removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
