"""The language of the page that a call comes from, for what answers say besides errors."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Annotated, Any

from pydantic import PlainSerializer, ValidatorFunctionWrapHandler, WrapValidator
from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from api.platform.http.translation import language_of_page
from cluster.wording.catalogue import ENGLISH
from cluster.wording.message import Message, in_language

_language: ContextVar[str] = ContextVar("page_language", default=ENGLISH)

_NAMES_LANGUAGE = b"in="


class PageLanguage:
    """Notes for each request the language of its page. Programs and work in the background stay English."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        token = _language.set(language_of_page(scope["path"], _language_of(scope)))
        try:
            await self.app(scope, receive, send)
        finally:
            _language.reset(token)


def _language_of(scope: Scope) -> str | None:
    """What the page asks for. A download has the browser's own header, so its address names the language in `in`."""
    if _NAMES_LANGUAGE in scope["query_string"]:
        named = QueryParams(scope["query_string"]).get("in")
        if named is not None:
            return named
    return Headers(scope=scope).get("accept-language")


def page_language() -> str:
    """The language of the page that the answer which is being made goes to, such as `is`."""
    return _language.get()


def in_page_language(text: str) -> str:
    """A sentence or a label of ours as the page shows it."""
    return in_language(text, _language.get())


def _with_its_code(value: Any, as_text: ValidatorFunctionWrapHandler) -> Any:
    """A message stays one: Pydantic would make a plain string of it."""
    return value if isinstance(value, Message) else as_text(value)


PageText = Annotated[
    str, WrapValidator(_with_its_code), PlainSerializer(in_page_language, return_type=str, when_used="json")
]
"""A sentence or a label of ours in an answer. JSON has it in the language of the page.

For what we say only: text that people write is `str`.
"""
