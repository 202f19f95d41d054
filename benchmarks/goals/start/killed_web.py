"""The web process killed in a running installation, on a machine whose cores others keep busy."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import httpx2

from api.edges.cli.installation.demo import demo_password
from api.edges.cli.installation.programs import API
from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.people.users.restrictions import DEMO_EMAIL
from cluster.processes import command_line
from cluster.resources import cores
from cluster.testing.processes import descendants

PATIENCE_S = 180.0
BETWEEN_S = 5.0
_RETRY_S = 0.02


@dataclass(frozen=True, slots=True)
class Returned:
    """Seconds from a kill to the first good answer and to a saved edit, and the calls that failed meanwhile."""

    answers_s: float
    saves_s: float
    failed: int


def kill_the_web_process(supervisor: int, data: Path, url: str, kills: int) -> list[Returned]:
    """Kill the process that serves, one after the other, while each core has a program that only counts."""
    with httpx2.Client(base_url=url, trust_env=False, timeout=PATIENCE_S) as client, _busy():
        client.get("/sanctum/csrf-cookie").raise_for_status()
        _post(client, "/login", email=DEMO_EMAIL, password=demo_password(data)).raise_for_status()
        return [_kill(supervisor, client) for _ in range(kills)]


def _kill(supervisor: int, client: httpx2.Client) -> Returned:
    time.sleep(BETWEEN_S)
    # Its starter comes first.
    os.kill(_web_processes(supervisor)[-1], signal.SIGKILL)
    killed = time.monotonic()
    failed = _failed_until(lambda: client.get("/api/health"))
    answers_s = time.monotonic() - killed
    failed += _failed_until(lambda: _post(client, "/api/tags", tag=f"after {killed}"))
    return Returned(answers_s, time.monotonic() - killed, failed)


def _failed_until(call: Callable[[], httpx2.Response]) -> int:
    """Repeat the call until it succeeds; return how often it did not."""
    failed = 0
    while True:
        try:
            if call().is_success:
                return failed
        except httpx2.TransportError:
            pass
        failed += 1
        time.sleep(_RETRY_S)


def _post(client: httpx2.Client, path: str, **body: str) -> httpx2.Response:
    return client.post(path, json=body, headers={XSRF_HEADER: unquote(client.cookies[XSRF_COOKIE])})


def _web_processes(supervisor: int) -> list[int]:
    return [pid for pid in descendants(supervisor) if "api.main" in (words := command_line(pid)) and API in words]


@contextmanager
def _busy() -> Iterator[None]:
    counting = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(cores())]
    try:
        yield
    finally:
        for each in counting:
            each.kill()
            each.wait()
