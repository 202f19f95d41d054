"""A Redis server for one run. It stores nothing on disk, so a kill empties it."""

from __future__ import annotations

import shutil
import subprocess

from cluster.ports import free_ports


class RedisServer:
    def __init__(self) -> None:
        if shutil.which("redis-server") is None:
            raise RuntimeError("Redis is not installed: install it or leave out --redis.")
        (self.port,) = free_ports(1)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        self._process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
