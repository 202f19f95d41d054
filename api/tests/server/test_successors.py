"""The web process as `sagascript up` runs it: whichever of its processes is killed, people are answered."""

from __future__ import annotations

import asyncio
import os
import signal
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from api.edges.cli.installation.programs import API, web_program
from api.platform.server.inheritance import READY_LINE
from api.platform.settings import ApiSettings
from api.testing.databases.migrated import make_sqlite
from api.testing.processes.web_process import csrf
from cluster.ports import listen
from cluster.processes import MARK, children, leftovers
from cluster.supervisor.supervisor import Supervisor
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

ADA = {
    "name": "Ada",
    "email": "ada@example.com",
    "password": "correct horse battery",
    "password_confirmation": "correct horse battery",
}
HEALTH = "/api/health"
ENDED = "ended; starting it again."


@dataclass
class Web:
    supervisor: Supervisor
    port: int
    mark: str
    log: Path
    reports: list[str]

    @property
    def starter(self) -> int:
        """The process that forks those which serve."""
        return self.supervisor.pid(API) or 0

    @property
    def servers(self) -> list[int]:
        return children(self.starter)

    @property
    def starts(self) -> int:
        return self.log.read_text().count(READY_LINE)

    async def until_started(self, times: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.starts < times:
                await asyncio.sleep(0.02)

    def client(self) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", trust_env=False, timeout=PATIENCE_S)


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[Web]:
    settings = ApiSettings(data_dir=tmp_path / "data", port=free_port())
    make_sqlite(settings.db_url)
    mark = f"test-{uuid.uuid4().hex}"
    listeners = listen(settings.host, settings.port)
    env = {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(settings.data_dir),
        "SAGASCRIPT_PORT": str(settings.port),
        "SAGASCRIPT_LOG_FORMAT": "json",
        MARK: mark,
    }
    reports: list[str] = []
    supervisor = Supervisor(
        [web_program(settings, env, listeners)],
        logs=tmp_path,
        mark=mark,
        report=lambda _name, sentence: reports.append(sentence),
    )
    try:
        await supervisor.start()
        yield Web(supervisor, settings.port, mark, tmp_path / f"{API}.log", reports)
    finally:
        for listener in listeners:
            listener.close()
        await supervisor.stop()
    assert leftovers(mark) == []


@pytest.mark.long
async def test_who_comes_while_no_process_serves_is_answered_by_the_next_one(web: Web) -> None:
    (server,) = web.servers
    # Nobody can take over before the request has been sent.
    os.kill(web.starter, signal.SIGSTOP)
    os.kill(server, signal.SIGKILL)
    async with web.client() as client:
        asked = asyncio.create_task(client.get(HEALTH))
        _, writer = await asyncio.open_connection("127.0.0.1", web.port)
        writer.close()
        os.kill(web.starter, signal.SIGCONT)
        assert (await asked).status_code == httpx2.codes.OK
    (successor,) = web.servers
    assert successor != server
    assert '"web.killed"' in web.log.read_text()
    # The supervisor had nothing to do.
    assert web.reports == []


@pytest.mark.long
async def test_what_was_acknowledged_before_a_kill_is_there_afterwards(web: Web) -> None:
    async with web.client() as client:
        (await client.get("/sanctum/csrf-cookie")).raise_for_status()
        (await client.post("/register", json=ADA, headers=csrf(client))).raise_for_status()
        acknowledged: list[str] = []
        for number in range(12):
            if number % 4 == 2:
                (server,) = web.servers
                # Whatever it does just then: the next call is on its way.
                asyncio.get_running_loop().call_later(0.005, os.kill, server, signal.SIGKILL)
            try:
                answer = await client.post("/api/tags", json={"tag": f"tag {number}"}, headers=csrf(client))
            except httpx2.TransportError:
                continue
            assert answer.status_code == httpx2.codes.CREATED
            acknowledged.append(f"tag {number}")
        tags = (await client.get("/api/tags")).json()["data"]
    assert acknowledged
    assert {*acknowledged} <= {tag["name"] for tag in tags}


@pytest.mark.long
async def test_without_the_process_that_forks_them_a_server_serves_until_there_is_another(web: Web) -> None:
    (server,), starter = web.servers, web.starter
    os.kill(starter, signal.SIGKILL)
    async with web.client() as client:
        async with asyncio.timeout(PATIENCE_S):
            while web.reports != [ENDED]:
                await asyncio.sleep(0.02)
        assert (await client.get(HEALTH)).status_code == httpx2.codes.OK
        await web.until_started(2)
    async with asyncio.timeout(PATIENCE_S):
        while server in leftovers(web.mark) or len(web.reports) < 2:
            await asyncio.sleep(0.02)
    assert web.reports == [ENDED, "is running again."]
    (successor,) = web.servers
    async with web.client() as client:
        assert (await client.get(HEALTH)).status_code == httpx2.codes.OK
    assert {web.starter, successor}.isdisjoint({starter, server})


@pytest.mark.long
async def test_the_process_that_forks_has_opened_nothing(web: Web) -> None:
    assert len(os.listdir(f"/proc/{web.starter}/task")) == 1
    opened = [os.readlink(f"/proc/{web.starter}/fd/{each}") for each in os.listdir(f"/proc/{web.starter}/fd")]
    assert sum(each.startswith("socket:") for each in opened) == 1
    assert not any("sagascript.db" in each or "eventpoll" in each for each in opened)
