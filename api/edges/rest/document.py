"""The OpenAPI document of REST v1 alone, at `/api/v1/openapi.json`, cut out of the whole one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse

PREFIX = "/api/v1/"
TITLE = "Sagascript REST API"
DESCRIPTION = """Files, captions, translations, exports and webhooks for programs.

Make an API key in Settings, API keys, and send it as `Authorization: Bearer sgk_…`. Every error is
`{"message": …}` with a sentence, and a `code` where a program may branch. Version 1 gains fields and calls; it loses
and renames none. Webhooks are signed as https://www.standardwebhooks.com describes.
"""
_REFERENCE = re.compile(r"^#/components/(\w+)/(.+)$")


def install_rest_document(app: FastAPI) -> None:
    @app.get(f"{PREFIX}openapi.json", include_in_schema=False)
    async def document() -> JSONResponse:
        return JSONResponse(rest_document(app.openapi()))


def rest_document(whole: Mapping[str, Any]) -> dict[str, Any]:
    """The calls under `PREFIX` with the components that they refer to."""
    paths = {path: calls for path, calls in whole["paths"].items() if path.startswith(PREFIX)}
    components: dict[str, dict[str, Any]] = {}
    pending: list[Any] = [paths]
    while pending:
        for kind, name in _references(pending.pop()):
            if name not in components.setdefault(kind, {}):
                components[kind][name] = whole["components"][kind][name]
                pending.append(components[kind][name])
    schemes = whole["components"].get("securitySchemes")
    if schemes:
        components["securitySchemes"] = schemes
    info = {"title": TITLE, "version": "1", "description": DESCRIPTION}
    return {"openapi": whole["openapi"], "info": info, "paths": paths, "components": components}


def _references(value: Any) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        match = _REFERENCE.match(str(value.get("$ref", "")))
        found = [] if match is None else [(match[1], match[2])]
        return found + [each for part in value.values() for each in _references(part)]
    if isinstance(value, list):
        return [each for part in value for each in _references(part)]
    return []
