"""The language of the page that a call comes from, for what answers say besides errors."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Annotated

from pydantic import PlainSerializer
from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from api.platform.http.translation import icelandic, is_icelandic_page

_is_icelandic: ContextVar[bool] = ContextVar("icelandic_page", default=False)

_NAMES_LANGUAGE = b"in="


class PageLanguage:
    """Notes for each request whether its page is Icelandic. Programs and work in the background stay English."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        token = _is_icelandic.set(is_icelandic_page(scope["path"], _language_of(scope)))
        try:
            await self.app(scope, receive, send)
        finally:
            _is_icelandic.reset(token)


def _language_of(scope: Scope) -> str | None:
    """What the page asks for. A download has the browser's own header, so its address names the language in `in`."""
    if _NAMES_LANGUAGE in scope["query_string"]:
        named = QueryParams(scope["query_string"]).get("in")
        if named is not None:
            return named
    return Headers(scope=scope).get("accept-language")


def page_is_icelandic() -> bool:
    """Whether the answer that is being made goes to an Icelandic page."""
    return _is_icelandic.get()


def in_page_language(text: str) -> str:
    """A sentence or a label of ours as the page shows it."""
    return icelandic(text) if _is_icelandic.get() else text


PageText = Annotated[str, PlainSerializer(in_page_language, return_type=str, when_used="json")]
"""A sentence or a label of ours in an answer. JSON for an Icelandic page has it in Icelandic, any other in English.

For what we say only: text that people write is `str`.
"""
