"""A real Ray head starts under the supervisor, requires a token, is replaced when it dies and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import stat
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from cluster.processes import MARK, command_line, leftovers
from cluster.ray.head import RayHead, plan_head, ray_environment
from cluster.ray.program import ray_program
from cluster.ray.runtime import RayUnreachable, announced_address, connect
from cluster.resources import node_slots
from cluster.settings import ClusterSettings
from cluster.supervisor.supervisor import Supervisor
from cluster.testing.patience import PATIENCE_S

DRIVER = """
import os, sys
from cluster.ray.runtime import connect
connect()
import ray
@ray.remote
def environment():
    import cluster.settings
    return dict(os.environ)
seen = ray.get(environment.remote(), timeout=300)
assert "SAGASCRIPT_DATABASE_URL" not in seen and "STRIPE_API_KEY" not in seen, seen
print(seen["SAGASCRIPT_DATA_DIR"], int(ray.cluster_resources()["CPU"]))
"""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClusterSettings:
    monkeypatch.setenv("SAGASCRIPT_DATABASE_URL", "postgresql://user:secret@database/x")
    monkeypatch.setenv("STRIPE_API_KEY", "sk_test_1")
    return ClusterSettings(data_dir=tmp_path)


@asynccontextmanager
async def running_head(settings: ClusterSettings, mark: str) -> AsyncIterator[tuple[RayHead, Supervisor]]:
    head = plan_head(settings, mark)
    logs = settings.data_dir / "logs"
    supervisor = Supervisor([ray_program(head, logs)], logs=logs, mark=mark, report=lambda _name, _text: None)
    try:
        await supervisor.start()
        yield head, supervisor
    finally:
        await supervisor.stop()


def runs(pid: int, script: str) -> bool:
    # The raylet's options also name what it starts.
    return any(part.endswith(script) and not part.startswith("--") for part in command_line(pid))


async def drive(settings: ClusterSettings, **env: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", DRIVER),
        env={**os.environ, "SAGASCRIPT_DATA_DIR": str(settings.data_dir), **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


@pytest.mark.long
async def test_a_head_runs_tasks_of_this_checkout_refuses_strangers_and_leaves_nothing(
    settings: ClusterSettings, tmp_path: Path
) -> None:
    mark = f"test-{uuid.uuid4().hex}"
    async with running_head(settings, mark) as (head, supervisor):
        assert announced_address(settings) == head.address
        code, output = await drive(settings)
        assert (code, output.splitlines()[-1:]) == (0, [f"{settings.data_dir} {node_slots()}"]), output
        # By default everybody may write to Ray's folder, and the network can read its metrics.
        above = head.temp_dir.parent.stat()
        assert (stat.S_IMODE(above.st_mode), above.st_uid) == (0o700, os.geteuid())
        assert not [pid for pid in leftovers(mark) if runs(pid, "dashboard/agent.py")]
        without_token = ClusterSettings(data_dir=tmp_path / "stranger")
        # One retry of a second instead of twenty.
        stranger = {**ray_environment_for(without_token), "RAY_NUM_REDIS_GET_RETRIES": "1"}
        code, output = await drive(without_token, SAGASCRIPT_RAY_ADDRESS=head.address, **stranger)
        assert code == 1
        assert "RayUnreachable" in output
        session = supervisor.pid("ray") or 0
        # Ray cannot continue without its GCS, so the whole head is replaced at the same address.
        gcs = next(pid for pid in leftovers(mark) if any(each.endswith("gcs_server") for each in command_line(pid)[:1]))
        os.kill(gcs, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE_S):
            while supervisor.pid("ray") in (None, session):
                await asyncio.sleep(0.05)
            await supervisor.until_ready("ray")
        assert leftovers(None, {session}) == []
        code, output = await drive(settings)
        assert code == 0, output
        session = supervisor.pid("ray") or 0
    assert leftovers(mark, {session}) == []
    assert announced_address(settings) is None
    assert not head.temp_dir.exists()
    assert (settings.data_dir / "logs" / "ray" / "gcs_server.out").exists()


@pytest.mark.long
async def test_a_start_takes_another_port_than_a_taken_one_and_waits_for_no_agent(settings: ClusterSettings) -> None:
    """By default Ray ends after 15 s without its agent, which happened three times on a busy machine."""
    mark = f"test-{uuid.uuid4().hex}"
    head = plan_head(settings, mark)
    said: list[str] = []
    supervisor = Supervisor(
        [ray_program(head, settings.data_dir / "logs")],
        logs=settings.data_dir / "logs",
        mark=mark,
        report=lambda _name, text: said.append(text),
    )
    first = head.address
    with socket.create_server(("127.0.0.1", int(first.rpartition(":")[2]))):
        starting = asyncio.create_task(supervisor.start())
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not (agents := [pid for pid in leftovers(mark) if runs(pid, "idle_agent.py")]):
                    await asyncio.sleep(0.01)
                os.kill(agents[0], signal.SIGSTOP)
                await starting
            assert head.address != first
            assert announced_address(settings) == head.address
            assert "Another program has taken port" in said[0]
            code, output = await drive(settings)
            assert code == 0, output
        finally:
            starting.cancel()
            await supervisor.stop()


def test_joining_without_a_head_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RayUnreachable, match="Start it with `sagascript up`"):
        connect(ClusterSettings(data_dir=tmp_path))
    with pytest.raises(RayUnreachable, match=r"No Ray cluster answers at 127\.0\.0\.1:1\."):
        connect(ClusterSettings(data_dir=tmp_path, ray_address="127.0.0.1:1"))


def test_the_head_gets_no_secret_of_the_control_plane(settings: ClusterSettings) -> None:
    head = plan_head(settings, "some-mark")
    assert not [name for name in head.env if "DATABASE" in name or "STRIPE" in name]
    assert head.env[MARK] == "some-mark"
    assert len(f"{head.temp_dir}/session_2026-01-01_00-00-00_000000_1234567/sockets/plasma_store") < 107


def ray_environment_for(settings: ClusterSettings) -> dict[str, str]:
    run_dir = settings.data_dir / "run"
    run_dir.mkdir(parents=True)
    return ray_environment(run_dir)
