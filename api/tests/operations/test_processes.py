"""The probes and figures of the upload server, the relay and the dispatcher as processes of their own."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette

from api.platform.operations.looks import RAY_AWAY, REDIS_AWAY
from api.platform.server.web import WebServer
from api.platform.settings import ApiSettings
from api.processes import relay_server, upload_server
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@asynccontextmanager
async def caller(server: WebServer, address: str = "127.0.0.1") -> AsyncIterator[httpx2.AsyncClient]:
    app = server.config.app
    assert isinstance(app, Starlette)
    transport = httpx2.ASGITransport(app, client=(address, 1))
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
    ):
        yield client


def figures(text: str) -> dict[tuple[str, tuple[str, ...]], float]:
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_the_upload_server_is_ready_while_database_and_storage_are(app: FastAPI, settings: ApiSettings) -> None:
    async with caller(upload_server(settings)) as client:
        assert (await client.get("/healthz", headers={"Host": "any.name"})).json() == {"status": "ok"}
        ready = await client.get("/readyz")
        assert (ready.status_code, ready.json()["checks"]) == (200, ["database", "storage"])
        assert (await client.options("/tus/", headers={"Tus-Resumable": "1.0.0"})).status_code == 204
        found = figures((await client.get("/metrics")).text)
        assert found["sagascript_requests_total", ("OPTIONS", "/tus", "204")] == 1
        assert ("process_open_fds", ()) in found
        for strange in ({"Host": "rebound.example"}, {"X-Forwarded-For": "203.0.113.7"}):
            assert (await client.get("/metrics", headers=strange)).status_code in (404, 421)
    async with caller(upload_server(settings), address="203.0.113.7") as stranger:
        assert (await stranger.get("/metrics")).status_code == 404
        assert (await stranger.get("/healthz")).status_code == 200


async def test_an_upload_server_without_its_schema_is_not_ready(bare_database_url: str, tmp_path: Path) -> None:
    bare = ApiSettings(data_dir=tmp_path / "data", database_url=bare_database_url)
    async with caller(upload_server(bare)) as client:
        answer = await client.get("/readyz")
        assert (answer.status_code, list(answer.json()["errors"])) == (503, ["database"])
        assert "Run `sagascript migrate`" in answer.json()["message"]


@SQLITE
async def test_the_relay_counts_connections_and_names_a_missing_redis(
    settings: ApiSettings, unused_tcp_port: int
) -> None:
    async with caller(relay_server(settings)) as client:
        assert (await client.get("/healthz")).status_code == 200
        assert (await client.get("/readyz")).json() == {"status": "ready", "checks": ["redis"]}
        found = figures((await client.get("/metrics")).text)
        assert found["sagascript_realtime_connections", ()] == 0
        assert found["sagascript_realtime_channels", ()] == 0
    apart = settings.model_copy(update={"redis_url": f"redis://127.0.0.1:{unused_tcp_port}"})
    async with caller(relay_server(apart)) as client:
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["message"]) == (503, REDIS_AWAY)


@pytest.mark.long
@SQLITE
async def test_a_dispatcher_without_ray_lives_and_says_what_is_missing(
    app: FastAPI, settings: ApiSettings, tmp_path: Path
) -> None:
    port = free_port()
    environment = {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(settings.data_dir),
        "SAGASCRIPT_DATABASE_URL": settings.db_url,
        "SAGASCRIPT_DISPATCHER_PORT": str(port),
        # Other tests run Ray clusters on this machine, and a dispatcher without an address joins the one it finds.
        "SAGASCRIPT_RAY_ADDRESS": "127.0.0.1:1",
        "SAGASCRIPT_METRICS_TOKEN": "long secret",
    }
    command = [sys.executable, "-P", "-m", "api.main", "dispatcher"]
    with (tmp_path / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=log, stderr=log)
    try:
        async with httpx2.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE_S
        ) as client:
            assert (await answer_of(client, process)).json() == {"status": "ok"}
            ready = await client.get("/readyz", timeout=PATIENCE_S)
            assert (ready.status_code, ready.json()["errors"]) == (503, {"ray": [RAY_AWAY]})
            assert (await client.get("/metrics")).status_code == 404
            text = (await client.get("/metrics", headers={"Authorization": "Bearer long secret"})).text
            assert figures(text)["sagascript_dispatcher_joined", ()] == 0
            assert figures(text)["sagascript_dispatcher_attempts", ("transcribe",)] == 0
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), PATIENCE_S)
    assert process.returncode == 0, (tmp_path / "log").read_text()


async def answer_of(client: httpx2.AsyncClient, process: asyncio.subprocess.Process) -> httpx2.Response:
    """The first answer of a process that is starting."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                return await client.get("/healthz")
            except httpx2.TransportError:
                assert process.returncode is None
                await asyncio.sleep(0.1)
