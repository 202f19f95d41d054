"""The servers to compare, each a process pinned to one core, over a folder in memory."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from api.edges.cli.installation.programs import API, installation
from api.platform.settings import ApiSettings
from benchmarks.goals.uploads.owner import SECRET
from cluster.testing.processes import cpu_seconds, pin

SERVER_CORE = {0}
DRIVER_CORE = {1}
START_WITHIN_S = 60.0
PEER_PACKAGES = ("@tus/server@2.4.5", "@tus/file-store@2.1.1")


@dataclass(frozen=True, slots=True)
class Server:
    process: subprocess.Popen[bytes]
    port: int
    folder: Path

    @property
    def cpu_s(self) -> float:
        return cpu_seconds(self.process.pid)

    def clear(self) -> None:
        """Remove uploaded objects, because memory is small."""
        for path in self.folder.rglob("*"):
            if path.is_file() and path.stat().st_size >= 1_000_000 and "objects" in path.parts:
                path.unlink()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(command: list[str], port: int, folder: Path, **environment: str) -> Iterator[Server]:
    """Run the server while the context is open."""
    process = subprocess.Popen(
        command, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(process, port)
        pin(process.pid, SERVER_CORE)
        yield Server(process, port, folder)
    finally:
        process.kill()
        process.wait()


def ours(port: int, data: Path) -> tuple[list[str], dict[str, str]]:
    """Command and environment of the web process as `sagascript up` runs it. `data` is the installation's folder."""
    settings = ApiSettings(data_dir=data, port=port)
    programs = installation(settings, head=None, mark=data.name, logs=data / "logs")
    (web,) = (program for program in programs if program.name == API)
    own = {"SAGASCRIPT_PORT": str(port), "SAGASCRIPT_SESSION_SECRET": SECRET}
    return list(web.command), {**web.env, **own}


def raw(port: int, folder: Path) -> list[str]:
    return [sys.executable, "-m", "benchmarks.goals.uploads.raw", str(port), str(folder)]


def install_peer(folder: Path) -> Path | None:
    """The script of the Node server in `folder`, with its packages. None if npm cannot install them."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        return None
    shutil.copy(Path(__file__).parent / "node_peer.cjs", folder)
    command = ["npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix", str(folder), *PEER_PACKAGES]
    done = subprocess.run(command, capture_output=True, check=False, timeout=180)
    return folder / "node_peer.cjs" if done.returncode == 0 else None


def _wait(process: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + START_WITHIN_S
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError("A server to be measured ended at its start.")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("A server to be measured did not start in time.")
