"""Servers that run on their own answer probes, under any host name and without a database."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from api.realtime.relay.app import create_relay
from api.settings import ApiSettings
from api.uploads.server import create_upload_app
from cluster.heartbeat import beat, heartbeat_file


@pytest.mark.parametrize("create", [create_upload_app, create_relay])
def test_a_server_on_its_own_says_that_it_runs(create: object, tmp_path: Path) -> None:
    settings = ApiSettings(data_dir=tmp_path, database_url="postgresql://nobody@127.0.0.1:1/none")
    app = create(settings)  # type: ignore[operator]
    assert isinstance(app, Starlette)
    # Without its lifespan, so nothing connects.
    answer = TestClient(app, base_url="http://10.0.0.7:8080").get("/healthz", headers={"Host": "probe.internal"})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_beat_makes_the_file_that_probes_look_at(tmp_path: Path) -> None:
    path = heartbeat_file(ApiSettings(data_dir=tmp_path), "dispatcher")
    assert path == tmp_path / "run" / "dispatcher.alive"
    beat(path)
    assert path.exists()
