"""The whole product in a new folder, started as a person starts it: `sagascript up`."""

from __future__ import annotations

import hashlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from api.testing.files.spoken_video import PROJECT
from cluster.processes import leftovers
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port


@dataclass
class Product:
    """A running installation. `printed` holds the terminal's lines so far."""

    url: str
    data_dir: Path
    process: subprocess.Popen[str]
    printed: list[str] = field(default_factory=list)
    _lines: queue.SimpleQueue[str] = field(default_factory=queue.SimpleQueue)

    def read(self) -> None:
        """Collect the terminal's lines; runs in a thread until the process ends."""
        for line in self.process.stdout or ():
            self.printed.append(line.rstrip())
            self._lines.put(line)

    def wait_for_line(self, text: str, timeout_s: float) -> str:
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            found = next((line for line in self.printed if text in line), None)
            if found is not None:
                return found
            if self.process.poll() is not None:
                break
            try:
                self._lines.get(timeout=0.2)
            except queue.Empty:
                continue
        raise AssertionError(f"The terminal never showed {text!r}:\n" + "\n".join(self.printed[-40:]))


@contextmanager
def running_product(data_dir: Path, *, port: str = "", **settings: str) -> Iterator[Product]:
    """Start the product with `SAGASCRIPT_` settings, by default on a free port, and wait until it runs. SIGINT must end
    all its processes."""
    port = port or str(free_port())
    environment = {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(data_dir),
        "SAGASCRIPT_PORT": port,
        "COLUMNS": "200",
        **{f"SAGASCRIPT_{name.upper()}": value for name, value in settings.items()},
    }
    command = [str(Path(sys.executable).parent / "sagascript"), "up"]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    product = Product(f"http://127.0.0.1:{port}", data_dir, process)
    threading.Thread(target=product.read, daemon=True).start()
    try:
        product.wait_for_line("is running at", PATIENCE_S)
        yield product
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        mark = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:16]
        assert leftovers(mark) == [], "processes outlive the installation"


def require_pages() -> None:
    if not (PROJECT / "ui" / "dist" / "index.html").is_file():
        pytest.skip("The front end is not built: run `make test`.")
