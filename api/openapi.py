"""Print the OpenAPI document: `python -m api.openapi`. The front end's types are generated from it."""

from __future__ import annotations

import json
import sys
from typing import Any

from fastapi import FastAPI

from api.http.errors import install_error_handlers
from api.routers import ROUTERS


def openapi_document() -> dict[str, Any]:
    """The document of every route, made without opening a database."""
    app = FastAPI(title="Sagascript", version="0.1.0")
    install_error_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    return app.openapi()


if __name__ == "__main__":
    json.dump(openapi_document(), sys.stdout, indent=1, sort_keys=True)
