"""The HTTP side against a small real server with OpenAI's form, which refuses every second try."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.load.callers import Callers, OnRefusal
from benchmarks.measure.load.openai_target import OpenAITarget, retry_after_s, transcriptions_url
from benchmarks.measure.load.request import Ending
from benchmarks.tests.load.made import CLIPS
from cluster.testing.patience import PATIENCE_S


class Server:
    """Records what it gets."""

    def __init__(self) -> None:
        self.tries: dict[str, int] = {}
        self.fields: list[dict[str, str]] = []
        self.sizes: list[int] = []

    async def transcribe(self, request: Request) -> Response:
        if request.headers.get("Authorization") != "Bearer the-key":
            return JSONResponse({"error": {"message": "No key."}}, 401)
        async with request.form() as form:
            file = form["file"]
            assert not isinstance(file, str)
            self.sizes.append(len(await file.read()))
            self.fields.append({name: value for name, value in form.items() if isinstance(value, str)})
            name = str(file.filename)
        self.tries[name] = self.tries.get(name, 0) + 1
        if self.tries[name] % 2:
            return Response(status_code=429, headers={"Retry-After": "0"})
        return JSONResponse({"text": "Hello."})


@asynccontextmanager
async def running() -> AsyncIterator[tuple[Server, str]]:
    server = Server()
    app = Starlette(routes=[Route("/v1/audio/transcriptions", server.transcribe, methods=["POST"])])
    listening = socket.create_server(("127.0.0.1", 0))
    web = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off"))
    task = asyncio.create_task(web.serve(sockets=[listening]))
    try:
        yield server, f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        web.should_exit = True
        await task


async def test_clips_go_to_any_server_and_refusals_are_waited_for_or_counted() -> None:
    arrivals = [Arrival(0.0, index % 3) for index in range(6)]
    async with (
        running() as (server, url),
        OpenAITarget(url, key="the-key", model="small", language="is", timeout_s=PATIENCE_S) as target,
    ):
        waited = await Callers(target, CLIPS, patience_s=PATIENCE_S).arrive(arrivals)
        assert [(one.ending, one.refusals) for one in waited] == [(Ending.DONE, 1)] * 6
        assert server.fields[0] == {"model": "small", "response_format": "json", "language": "is"}
        # A WAV head and the samples.
        assert min(server.sizes) == len(CLIPS[0].pcm) + 44
        server.tries.clear()
        counted = await Callers(target, CLIPS, on_refusal=OnRefusal.COUNT).arrive(arrivals)
        assert [(one.ending, one.problem) for one in counted] == [(Ending.REFUSED, "HTTP 429")] * 6


async def test_a_server_without_our_key_or_without_an_answer_is_an_error() -> None:
    async with running() as (_, url):
        async with OpenAITarget(url, key=None, model="small", language=None, timeout_s=PATIENCE_S) as target:
            (request,) = await Callers(target, CLIPS).arrive([Arrival(0.0, 0)])
        assert request.ending is Ending.FAILED
        assert request.problem.startswith("HTTP 401")
    async with OpenAITarget(url, key=None, model="small", language=None, timeout_s=PATIENCE_S) as target:
        (request,) = await Callers(target, CLIPS).arrive([Arrival(0.0, 0)])
    assert request.ending is Ending.FAILED
    assert "Connect" in request.problem


@pytest.mark.parametrize(
    ("given", "called"),
    [
        ("127.0.0.1:8000", "http://127.0.0.1:8000/v1/audio/transcriptions"),
        ("http://host/", "http://host/v1/audio/transcriptions"),
        ("https://host/v1", "https://host/v1/audio/transcriptions"),
        ("https://host/our/v1/audio/transcriptions", "https://host/our/v1/audio/transcriptions"),
    ],
)
def test_addresses_are_completed(given: str, called: str) -> None:
    assert transcriptions_url(given) == called


def test_retry_after_is_read_in_both_forms() -> None:
    assert retry_after_s("2.5") == 2.5
    assert retry_after_s(None) is None
    assert retry_after_s("soon") is None
    assert retry_after_s(format_datetime(datetime.now(UTC) - timedelta(hours=1), usegmt=True)) == 0
    ahead = retry_after_s(format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True))
    assert ahead is not None
    assert 3000 < ahead <= 3600
