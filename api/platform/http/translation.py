"""The language in which a call is answered, and errors in it."""

from __future__ import annotations

from typing import Any

from api.platform.http.openai_errors import OPENAI_PREFIX
from cluster.wording.catalogue import ENGLISH, languages
from cluster.wording.message import in_language

ICELANDIC = "is"
"""The tag of the language, as `User.locale` has it."""

_ENGLISH_ALWAYS = (OPENAI_PREFIX, "/api/v1/")
"""Programs read the answers of these calls."""


def wants_icelandic(accept_language: str | None) -> bool:
    """Whether this `Accept-Language` prefers Icelandic. Pages send the tag of the language that they are in."""
    return _preferred(accept_language) == ICELANDIC


def _preferred(accept_language: str | None) -> str:
    return (accept_language or "").strip().lower()[:2]


def language_of_page(path: str, accept_language: str | None) -> str:
    """The language in which a call to `path` is answered, such as `is`. English where we have no other."""
    language = _preferred(accept_language)
    return language if language in languages() and not path.startswith(_ENGLISH_ALWAYS) else ENGLISH


def in_language_of_page(body: dict[str, Any], path: str, accept_language: str | None) -> dict[str, Any]:
    """The body of an error with its sentences in the language of the page that called `path`."""
    language = language_of_page(path, accept_language)
    translated = {**body, "message": in_language(body["message"], language)}
    if "errors" in body:
        translated["errors"] = {
            field: [in_language(one, language) for one in many] for field, many in body["errors"].items()
        }
    return translated
