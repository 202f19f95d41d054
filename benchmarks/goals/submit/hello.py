"""The compared servers: uvicorn with an application that reads the body and answers hello.

    python -m benchmarks.goals.submit.hello PORT bare
    python -m benchmarks.goals.submit.hello PORT fastapi
    python -m benchmarks.goals.submit.hello PORT psycopg postgresql://...
    python -m benchmarks.goals.submit.hello PORT one-statement postgresql://...

The second is the same as a FastAPI route, the least that any route of ours can cost. The third first reads and writes
as many rows as a submit must, in one transaction directly on the driver. The fourth does that in a single statement,
which commits by itself: no durable submit can need less of a database.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import psycopg.sql
import uvicorn
from fastapi import FastAPI

from api.content.exports.schemas import ExportRequest

HELLO = json.dumps({"message": "hello"}).encode()
READS, WRITES = 6, 3
"""Session with its user, file, transcription, lines, the file's lock, an export like it; export, job and event."""


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


def through_fastapi() -> FastAPI:
    app = FastAPI()

    @app.post("/hello", status_code=201)
    async def hello(body: ExportRequest) -> dict[str, str]:
        return {"message": "hello"}

    return app


def _connected_to(url: str, *, commits_itself: bool) -> FastAPI:
    """An application with a connection and a table."""

    @asynccontextmanager
    async def connected(app: FastAPI) -> AsyncIterator[None]:
        connecting = psycopg.AsyncConnection.connect(url, prepare_threshold=0, autocommit=commits_itself)
        async with await connecting as connection:
            await connection.execute("CREATE TABLE IF NOT EXISTS said (id bigserial PRIMARY KEY, body text)")
            if not commits_itself:
                await connection.commit()
            app.state.connection = connection
            yield

    return FastAPI(lifespan=connected)


def through_psycopg(url: str) -> FastAPI:
    app = _connected_to(url, commits_itself=False)

    @app.post("/hello", status_code=201)
    async def hello(body: ExportRequest) -> dict[str, str]:
        connection = app.state.connection
        for number in range(READS):
            await (await connection.execute("SELECT body FROM said WHERE id = %s", (number,))).fetchone()
        for _ in range(WRITES):
            await connection.execute("INSERT INTO said (body) VALUES (%s)", (body.language,))
        await connection.commit()
        return {"message": "hello"}

    return app


def in_one_statement(url: str) -> FastAPI:
    app = _connected_to(url, commits_itself=True)
    reads = ", ".join(f"(SELECT body FROM said WHERE id = {number})" for number in range(READS))
    writes = ", ".join(
        f"w{number} AS (INSERT INTO said (body) VALUES (%(body)s) RETURNING id)" for number in range(WRITES)
    )
    statement = f"WITH {writes} SELECT {reads}, w0.id FROM w0".encode()

    @app.post("/hello", status_code=201)
    async def hello(body: ExportRequest) -> dict[str, str]:
        found = await app.state.connection.execute(statement, {"body": body.language})
        await found.fetchone()
        return {"message": "hello"}

    return app


if __name__ == "__main__":
    port, which, *url = sys.argv[1:]
    makers: dict[str, Callable[..., Any]] = {
        "bare": lambda: bare,
        "fastapi": through_fastapi,
        "psycopg": through_psycopg,
        "one-statement": in_one_statement,
    }
    made = makers[which](*url)
    quiet: dict[str, Any] = {"log_config": None, "access_log": False, "lifespan": "on" if url else "off"}
    uvicorn.run(made, host="127.0.0.1", port=int(port), **quiet)
