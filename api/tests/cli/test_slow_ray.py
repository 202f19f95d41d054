"""`sagascript up` while Ray gets no time: people can use the web process already, and it stays."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import httpx

from api.testing.installation import SAGASCRIPT, Installation
from cluster.ports import free_ports
from cluster.processes import command_line, leftovers

PATIENCE_S = 60.0


def test_the_web_process_is_there_before_ray_and_its_captions_come_later(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    process = subprocess.Popen(
        [*SAGASCRIPT, "up", "--port", str(port), "--data-dir", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    running = Installation(process, tmp_path, port, [])
    try:
        raylet = raylet_of(tmp_path)
        os.kill(raylet, signal.SIGSTOP)
        running.until("is running at")
        web = running.pid("main api")
        assert httpx.get(f"{running.url}/api/health", trust_env=False).json() == {"status": "ok"}
        assert not (tmp_path / "run" / "ray-address").exists()
        os.kill(raylet, signal.SIGCONT)
        assert re.match(r"\s+00:0\d  welcome to the show", running.until("welcome"))
        assert running.pid("main api") == web
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    assert process.returncode == 0


def raylet_of(folder: Path) -> int:
    """The raylet of the installation, as soon as there is one."""
    mark = hashlib.sha256(str(folder.resolve()).encode()).hexdigest()[:16]
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for pid in leftovers(mark):
            if any(each.endswith("raylet/raylet") for each in command_line(pid)[:1]):
                return pid
        time.sleep(0.01)
    raise AssertionError("Ray never started.")
