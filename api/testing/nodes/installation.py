"""An installation on several Ray nodes of this machine, put together as the chart does it.

The head offers no slot, files are worked on by nodes with CPU slots, the speech model runs on a node that offers a
stand-in for a GPU and nothing else, objects are in a bucket, and the dispatchers join a cluster that is named in their
settings.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from api.platform.settings import ApiSettings
from api.testing.jobs.dispatcher_process import DispatcherProcess, Pace
from api.testing.jobs.installation import PROJECT, Head
from api.testing.processes.held_ffmpeg import held_ffmpeg
from cluster.ray.head import ray_environment
from cluster.testing.ray_node import RayNode
from cluster.testing.s3_server import BUCKET, S3Server, running_s3
from serve.testing.tiny_models.archives import models_folder

SLOTS = 2
PROFILE = """
transcription:
  engine: whisper
  models: [tiny]
  hub: false
  num_cpus: 0
  num_gpus: 0.5
"""
HEALTH = {"RAY_health_check_period_ms": "1000", "RAY_health_check_failure_threshold": "10"}
"""A node that lost power is gone after 10 s; a busy one has ten times Ray's own 10 s to answer."""


@dataclass
class NodesInstallation:
    """Tests add, drain and kill `nodes` and `dispatchers`."""

    settings: ApiSettings
    s3: S3Server
    head: Head
    nodes: list[RayNode] = field(default_factory=list)
    dispatchers: list[DispatcherProcess] = field(default_factory=list)
    models: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        assert self.head.plan is not None
        return self.head.plan.address

    @property
    def log(self) -> Path:
        return self.settings.data_dir / "processes.log"

    @property
    def hold(self) -> Path:
        """While this file exists, every ffmpeg waits before it begins."""
        return self.settings.data_dir / "hold"

    def add_node(self, slots: float = SLOTS, *, gpus: float = 0) -> RayNode:
        """Start a node and wait until it has joined."""
        assert self.head.plan is not None
        log = self.settings.data_dir / "nodes.log"
        node = RayNode(self.address, self.head.plan.env, log, slots, gpus)
        node.start()
        self.nodes.append(node)
        return node

    def start_models(self) -> None:
        """Deploy the models, as `sagascript serve` does, and go on watching them."""
        self.models = self._start([sys.executable, "-m", "api.main", "serve"])

    def start_dispatcher(self, lease_s: float = 30, beat_s: float = 10) -> DispatcherProcess:
        process = DispatcherProcess(self._environment(), self.log, Pace(lease_s, beat_s))
        self.dispatchers.append(process)
        return process

    def _start(self, program: list[str]) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(program, cwd=PROJECT, env=self._environment(), stdout=log, stderr=log)

    def _environment(self) -> Mapping[str, str]:
        return {
            **os.environ,
            **self.s3.settings(),
            **ray_environment(self.settings.data_dir.resolve() / "run"),
            "SAGASCRIPT_DATA_DIR": str(self.settings.data_dir),
            "SAGASCRIPT_DATABASE_URL": self.settings.db_url,
            "SAGASCRIPT_RAY_ADDRESS": self.address,
            "SAGASCRIPT_PROFILE": str(self.settings.profile),
            "SAGASCRIPT_MODELS_DIR": str(self.settings.models_root),
            "SAGASCRIPT_FFMPEG": str(self.settings.ffmpeg),
            "SAGASCRIPT_REALTIME_URL": "http://127.0.0.1:9",
        }

    def check(self) -> dict[str, dict[str, str]]:
        """What `sagascript cluster check` tells an operator, by the finding's name."""
        program = [sys.executable, "-m", "api.main", "cluster", "check", "--json"]
        told = subprocess.run(
            program, cwd=PROJECT, env=self._environment(), capture_output=True, text=True, check=False
        )
        return {each["name"]: each for each in json.loads(told.stdout)}

    def tail(self) -> str:
        return self.log.read_text()[-6000:] if self.log.exists() else ""

    def end(self) -> None:
        processes: list[DispatcherProcess | subprocess.Popen[bytes]] = [*self.dispatchers]
        if self.models is not None:
            processes.append(self.models)
        for process in processes:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()
        for node in self.nodes:
            node.kill()


@contextmanager
def nodes_installation(folder: Path, database_url: str, *, workers: int) -> Iterator[NodesInstallation]:
    """Start a head, `workers` nodes with `SLOTS` slots and one with a GPU. No process of ours runs yet."""
    folder.mkdir(parents=True, exist_ok=True)
    with pytest.MonkeyPatch.context() as environment, running_s3(environment) as s3:
        settings = _settings(folder, database_url, s3)
        head = Head(settings, slots=0, env={**HEALTH, **s3.settings()})
        try:
            head.start()
            installation = NodesInstallation(settings, s3, head)
            try:
                for _ in range(workers):
                    installation.add_node()
                installation.add_node(0, gpus=1)
                yield installation
            finally:
                installation.end()
        finally:
            head.kill()


def _settings(folder: Path, database_url: str, s3: S3Server) -> ApiSettings:
    profile = folder / "nodes.yaml"
    profile.write_text(PROFILE)
    return ApiSettings(
        data_dir=folder,
        database_url=database_url,
        storage_url=f"s3://{BUCKET}/sagascript",
        storage_endpoint=s3.url,
        profile=str(profile),
        models_dir=models_folder(folder / "models"),
        ffmpeg=str(held_ffmpeg(folder).program),
    )
