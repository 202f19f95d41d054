"""`sagascript up` while Ray gets no time: people can use the web process already, and it stays."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import httpx2
import pytest

from api.testing.processes.installation import SAGASCRIPT, Installation
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

# Python runs this file first. The Ray head opens a FIFO in it, and so waits until somebody opens the other end.
HOLD_RAY = """
import os, sys
if "cluster.ray.head_main" in sys.orig_argv:
    open(os.environ["RAY_HEAD_GATE"]).close()
"""

pytestmark = pytest.mark.soak


def test_the_web_process_is_there_before_ray_and_its_captions_come_later(tmp_path: Path) -> None:
    port = free_port()
    gate, data = tmp_path / "gate", tmp_path / "data"
    os.mkfifo(gate)
    (tmp_path / "sitecustomize.py").write_text(HOLD_RAY)
    process = subprocess.Popen(
        [*SAGASCRIPT, "up", "--port", str(port), "--data-dir", str(data)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "RAY_HEAD_GATE": str(gate)},
    )
    running = Installation(process, data, port, [])
    try:
        running.until("is running at")
        web = running.pid("main api")
        assert httpx2.get(f"{running.url}/api/health", trust_env=False, timeout=PATIENCE_S).json() == {"status": "ok"}
        assert not (data / "run" / "ray-address").exists()
        # While this end is open, nobody waits at the other one.
        with open(os.open(gate, os.O_RDWR)):
            captions = running.until("welcome")
        assert re.match(r"\s+00:0\d  welcome to the show", captions)
        assert running.pid("main api") == web
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
