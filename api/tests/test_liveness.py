"""Servers that run on their own answer probes, under any host name and without a database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from api.platform.server.web import WebServer
from api.platform.settings import ApiSettings
from api.processes import relay_server, upload_server
from cluster.heartbeat import beat, heartbeat_file


@pytest.mark.parametrize("server_of", [upload_server, relay_server])
def test_a_server_on_its_own_says_that_it_runs(server_of: Callable[[ApiSettings], WebServer], tmp_path: Path) -> None:
    settings = ApiSettings(data_dir=tmp_path, database_url="postgresql://nobody@127.0.0.1:1/none")
    # Without its lifespan, so nothing connects.
    app = server_of(settings).config.app
    client = TestClient(app, base_url="http://10.0.0.7:8080")  # type: ignore[arg-type]
    answer = client.get("/healthz", headers={"Host": "probe.internal"})
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_a_beat_makes_the_file_that_probes_look_at(tmp_path: Path) -> None:
    path = heartbeat_file(ApiSettings(data_dir=tmp_path), "serve")
    assert path == tmp_path / "run" / "serve.alive"
    beat(path)
    assert path.exists()
