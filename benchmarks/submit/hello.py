"""`python -m benchmarks.submit.hello PORT`: uvicorn with an application that reads the body and says hello."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

HELLO = json.dumps({"message": "hello"}).encode()


async def app(
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


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_config=None, access_log=False, lifespan="off")
