"""The product under test: `sagascript up` in a folder of its own, with more processes beside it as a cluster has them.

A second dispatcher, an upload server and a relay run beside `up`, so that each can be killed alone and another
dispatcher can take expired leases. People pay at a stand-in for Stripe.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from api.people.billing.stripe.gateway import Gateway
from api.people.billing.stripe.prices import sync_prices
from api.platform.settings import ApiSettings
from api.testing.processes.cable import Cable
from api.testing.stripe.server import StripeServer
from benchmarks.soak.durability.fault_kinds import Kind
from benchmarks.soak.durability.servers.disk import SmallDisk
from benchmarks.soak.durability.servers.redis import RedisServer
from benchmarks.soak.durability.servers.side_process import SideProcess, command
from benchmarks.soak.durability.watch import watch
from benchmarks.soak.postgres import PostgresServer
from cluster.ports import free_ports
from cluster.processes import end_with_parent
from serve.testing.tiny_models.archives import WHISPER, unpack

PROJECT = Path(__file__).parents[4]
START_S = 300.0
STOP_S = 60.0
RUNNING = "is running at"


@dataclass
class Installation:
    """`seeded_faults_file` lists faults that a process gets at its next start (see `seeded_faults.py`)."""

    folder: Path
    lease_s: float
    postgres: PostgresServer | None = None
    redis: RedisServer | None = None
    beside: dict[str, SideProcess] = field(default_factory=dict)
    up: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.data = self.folder / "data"
        self.data.mkdir(parents=True)
        self.seeded_faults_file = self.folder / "seeded_faults"
        self.disk = SmallDisk(self.data / "objects")
        self._cables = {server: Cable(server.port) for server in (self.postgres, self.redis) if server is not None}
        for cable in self._cables.values():
            cable.lay()
        self._ports = free_ports(3)
        self._model = unpack(WHISPER, self.folder)
        self._is_watched = False
        self.shop = StripeServer()
        self._is_open = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._ports[0]}"

    @property
    def uploads_url(self) -> str:
        return f"http://127.0.0.1:{self._ports[1]}/tus/"

    @property
    def relay_url(self) -> str:
        return f"http://127.0.0.1:{self._ports[2]}"

    @property
    def settings(self) -> ApiSettings:
        """The control plane's settings for the checker's own connection, which uses no cable."""
        # Set, so that the product makes no demo account.
        url = self.postgres.url if self.postgres is not None else f"sqlite:///{self.data / 'sagascript.db'}"
        return ApiSettings(data_dir=self.data, database_url=url)

    def cable_of(self, kind: Kind) -> tuple[Cable, str]:
        """The cable to cut, and the program that shows its recovery."""
        server, program = {
            Kind.CUT_DATABASE: (self.postgres, "api"),
            Kind.CUT_REDIS: (self.redis, "relay"),
        }[kind]
        assert server is not None
        return self._cables[server], program

    def _through_cable(self, url: str, server: PostgresServer | RedisServer | None) -> str:
        if server is None:
            return url
        return url.replace(f":{server.port}/", f":{self._cables[server].port}/")

    def _environment(self) -> dict[str, str]:
        paths = [str(Path(__file__).parents[1] / "boot"), str(PROJECT), os.environ.get("PYTHONPATH", "")]
        settings = {
            "DATA_DIR": str(self.data),
            "PORT": str(self._ports[0]),
            "DATABASE_URL": self._through_cable(self.settings.db_url, self.postgres),
            "WHISPER_MODEL": str(self._model),
            "UPLOADS_ENDPOINT": self.uploads_url,
            "REALTIME_URL": self.relay_url,
            "WORK_DIR": str(self.data / "objects" / ".work"),
            "LOG_FORMAT": "json",
        }
        settings |= {name.upper(): str(value) for name, value in self.shop.settings.items()}
        if self.redis is not None:
            settings["REDIS_URL"] = self._through_cable(self.redis.url, self.redis)
        return {
            **os.environ,
            **{f"SAGASCRIPT_{name}": value for name, value in settings.items()},
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
            "PYTHONUNBUFFERED": "1",
            "DURABILITY_LEASE_S": str(self.lease_s),
            "DURABILITY_SEEDED_FAULTS": str(self.seeded_faults_file),
        }

    async def start(self) -> None:
        """Start everything; return once `up` reports that it runs and the upload server and the relay answer."""
        await self._open_shop()
        env = self._environment()
        log = self.folder / "up.log"
        seen = log.stat().st_size if log.exists() else 0
        with log.open("ab") as output:
            self.up = subprocess.Popen(
                command("up"),
                env=env,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=end_with_parent,
            )
        deadline = time.monotonic() + START_S
        while RUNNING.encode() not in log.read_bytes()[seen:]:
            if self.up.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("The product did not start:\n" + log.read_text()[-3000:])
            await asyncio.sleep(0.1)
        if not self._is_watched:
            await watch(self.settings.db_url)
            self._is_watched = True
        self._start_beside(env)
        await asyncio.gather(*(self.until_answers(name) for name in ("uploads", "relay")))

    async def _open_shop(self) -> None:
        """Start the stand-in for Stripe. No fault strikes it, and it stays open while the product is down."""
        if self._is_open:
            return
        self.shop.start()
        gateway = Gateway(ApiSettings(**self.shop.settings))
        await sync_prices(gateway)
        await gateway.close()
        self._is_open = True

    def _start_beside(self, env: dict[str, str]) -> None:
        logs = self.folder / "logs"
        logs.mkdir(exist_ok=True)
        for name, arguments in {
            "dispatcher": ("dispatcher",),
            "uploads": ("uploads", "--port", str(self._ports[1])),
            "relay": ("relay", "--port", str(self._ports[2])),
        }.items():
            kept = SideProcess(name, command(*arguments), env, logs / f"{name}.log")
            kept.start()
            self.beside[name] = kept

    async def stop(self) -> None:
        """Send SIGTERM to everything, and kill what does not stop in time."""
        await asyncio.gather(*(kept.stop() for kept in self.beside.values()), self._stop_up())

    async def _stop_up(self) -> None:
        if self.up is None or self.up.poll() is not None:
            return
        self.up.send_signal(signal.SIGTERM)
        try:
            await asyncio.to_thread(self.up.wait, STOP_S)
        except subprocess.TimeoutExpired:
            self.up.kill()
            await asyncio.to_thread(self.up.wait)

    def remove(self) -> None:
        """Remove the small disk and the servers; call after `stop`."""
        if self._is_open:
            self.shop.stop()
        self.disk.remove()
        for cable in self._cables.values():
            cable.remove()
        if self.redis is not None:
            self.redis.kill()
        if self.postgres is not None:
            self.postgres.remove()

    async def answers(self, name: str) -> bool:
        """Whether `api`, `uploads` or `relay` answers as it should."""
        method, url = {
            "api": ("GET", f"{self.url}/api/health"),
            "uploads": ("OPTIONS", self.uploads_url),
            "relay": ("GET", f"{self.relay_url}/app/unknown"),
        }[name]
        with contextlib.suppress(httpx2.HTTPError):
            async with httpx2.AsyncClient(trust_env=False, timeout=2.0) as client:
                return (await client.request(method, url, headers={"Tus-Resumable": "1.0.0"})).status_code < 500
        return False

    async def until_answers(self, name: str, within_s: float = START_S) -> bool:
        deadline = time.monotonic() + within_s
        while not await self.answers(name):
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.05)
        return True
