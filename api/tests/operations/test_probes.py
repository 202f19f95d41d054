"""Alive, ready and in figures: what load balancers and monitoring see."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import httpx2
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from api.app import create_app
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.operations.figures import ProcessFigures
from api.platform.operations.looks import (
    OLD_SCHEMA,
    PREFIX,
    RELAY_AWAY,
    STORAGE_AWAY,
    database_and_storage,
    relay_answers,
)
from api.platform.operations.probe_server import serve_probes
from api.platform.operations.readiness import ReadinessProbe
from api.platform.server.inheritance import LISTENERS
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file
from cluster.ports import listen_once
from cluster.testing.patience import PATIENCE_S

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def figures(browser: Browser) -> dict[tuple[str, tuple[str, ...]], float]:
    answer = await browser.get("/metrics")
    assert answer.status_code == 200
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


async def test_a_working_installation_is_alive_and_ready(visitor: Browser) -> None:
    assert (await visitor.get("/healthz")).json() == {"status": "ok"}
    ready = await visitor.get("/readyz")
    assert ready.status_code == 200, ready.text
    assert ready.json()["status"] == "ready"
    assert ready.json()["checks"] == ["database", "storage", "relay"]
    assert (await visitor.get("/healthz", headers={"Host": "10.0.0.1.nip.io"})).status_code == 200


async def test_a_database_without_the_newest_schema_is_not_ready(bare_database_url: str, tmp_path: Path) -> None:
    app = create_app(ApiSettings(data_dir=tmp_path / "data", database_url=bare_database_url, ui_dir=tmp_path / "ui"))
    async with app.router.lifespan_context(app), Browser.open(app) as browser:
        assert (await browser.get("/healthz")).status_code == 200
        answer = await browser.get("/readyz")
        assert answer.status_code == 503
        assert answer.json()["message"].startswith("The database has schema none, but this version needs")
        assert list(answer.json()["errors"]) == ["database"]


@SQLITE
async def test_each_thing_that_is_missing_is_a_sentence(
    state: AppState, settings: ApiSettings, unused_tcp_port: int
) -> None:
    async with state.database.write() as session:
        await session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    (settings.storage_root / PREFIX).write_text("a file where the folder should be")
    elsewhere = settings.model_copy(update={"realtime_url": f"http://127.0.0.1:{unused_tcp_port}"})
    there = AppState(elsewhere, state.database, state.storage)
    probe = ReadinessProbe([*database_and_storage(there), relay_answers(elsewhere, None)])
    sentences = [check.sentence for check in await probe.checks()]
    assert sentences[0].startswith(OLD_SCHEMA.format(found="0001", needed="")[:45])
    assert sentences[1:] == [STORAGE_AWAY, RELAY_AWAY]


@SQLITE
async def test_a_database_that_is_gone_is_a_sentence(
    settings: ApiSettings, state: AppState, unused_tcp_port: int
) -> None:
    gone = Database(f"postgresql+psycopg://nobody@127.0.0.1:{unused_tcp_port}/none")
    probe = ReadinessProbe(database_and_storage(AppState(settings, gone, state.storage)))
    database, *_ = await probe.checks()
    assert database.sentence.startswith("The database does not answer.")
    await gone.close()


@pytest.mark.long
async def test_figures_count_requests_by_route_and_name_nobody(ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    for _ in range(3):
        await ada.get(f"/api/files/{file.slug}")
    await ada.get("/api/files/none")
    await ada.put(f"/api/files/{file.slug}", json={"name": "x"})
    async with state.database.write() as session:
        session.add(OutboxMessage(topic="mail", payload={}))
    found = await figures(ada)
    assert found["sagascript_requests_total", ("GET", "/api/files/{slug}", "200")] == 3
    assert found["sagascript_requests_total", ("GET", "/api/files/{slug}", "404")] == 1
    assert found["sagascript_requests_total", ("PUT", "/api/files/{slug}", "200")] == 1
    assert found["sagascript_request_seconds_count", ("GET", "/api/files/{slug}")] == 4
    assert found["sagascript_jobs", ("transcribe", "waiting")] >= 0
    assert found["sagascript_outbox_messages", ("mail",)] >= 1
    assert found["sagascript_realtime_connections", ()] == 0
    assert found["sagascript_uploads", ()] == 0
    everything = (await ada.get("/metrics")).text
    assert str(ada.user_id) not in everything
    assert file.slug not in everything
    assert "example.com" not in everything


@SQLITE
@pytest.mark.parametrize("is_inherited", [False, True])
async def test_probes_stop_without_a_traceback(
    settings: ApiSettings, unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch, is_inherited: bool
) -> None:
    if is_inherited:
        # Nobody else can take the port meanwhile.
        held = listen_once("127.0.0.1", unused_tcp_port)
        monkeypatch.setenv(LISTENERS, str(held.detach()))
    before = asyncio.all_tasks()
    serving = asyncio.create_task(
        serve_probes(settings, "127.0.0.1", unused_tcp_port, ReadinessProbe([]), ProcessFigures(list))
    )
    async with httpx2.AsyncClient(trust_env=False, timeout=PATIENCE_S) as client:
        while True:
            with contextlib.suppress(httpx2.ConnectError):
                assert (await client.get(f"http://127.0.0.1:{unused_tcp_port}/healthz")).status_code == 200
                break
            await asyncio.sleep(0.02)
    serving.cancel()
    assert [type(end) for end in await asyncio.gather(serving, return_exceptions=True)] == [asyncio.CancelledError]
    # A task that is left ends with the event loop, and uvicorn logs how.
    assert asyncio.all_tasks() <= before


@SQLITE
async def test_figures_are_not_for_everybody(app: FastAPI, settings: ApiSettings, ada: Browser) -> None:
    async with Browser.open(app, address="203.0.113.7") as stranger:
        assert (await stranger.get("/metrics")).status_code == 404
    assert (await ada.get("/metrics", headers={"X-Forwarded-For": "203.0.113.7"})).status_code == 404
    locked = create_app(settings.model_copy(update={"metrics_token": "long secret"}))
    async with locked.router.lifespan_context(locked), Browser.open(locked, address="203.0.113.7") as prometheus:
        assert (await prometheus.get("/metrics")).status_code == 404
        assert (await prometheus.get("/metrics", headers={"Authorization": "Bearer wrong"})).status_code == 404
        answer = await prometheus.get("/metrics", headers={"Authorization": "Bearer long secret"})
        assert answer.status_code == 200
