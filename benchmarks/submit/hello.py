"""What is compared: uvicorn with an application that reads the body and says hello.

    python -m benchmarks.submit.hello PORT bare
    python -m benchmarks.submit.hello PORT fastapi

The second is the same as a route of FastAPI, the least that any route of ours can cost.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn
from fastapi import FastAPI

from api.exports.schemas import ExportRequest

HELLO = json.dumps({"message": "hello"}).encode()


async def bare(
    scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[..., Awaitable[None]]
) -> None:
    body = b""
    while True:
        event = await receive()
        body += event.get("body", b"")
        if not event.get("more_body"):
            break
    json.loads(body)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(HELLO)).encode())]
    await send({"type": "http.response.start", "status": 201, "headers": headers})
    await send({"type": "http.response.body", "body": HELLO})


fastapi = FastAPI()


@fastapi.post("/hello", status_code=201)
async def hello(body: ExportRequest) -> dict[str, str]:
    return {"message": "hello"}


if __name__ == "__main__":
    app: Any = {"bare": bare, "fastapi": fastapi}[sys.argv[2]]
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_config=None, access_log=False, lifespan="off")
