"""A real `sagascript api` process on a migrated SQLite database."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

import httpx2

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.platform.settings import ApiSettings
from api.testing.databases.migrated import make_sqlite
from api.testing.processes.forked_process import ForkedProcess, command
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port


@dataclass
class WebProcess:
    settings: ApiSettings
    process: ForkedProcess
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.settings.port}"

    @contextmanager
    def client(self) -> Iterator[httpx2.Client]:
        """A browser with the anti-forgery cookie; `csrf` gives its header."""
        with httpx2.Client(base_url=self.url, trust_env=False, timeout=PATIENCE_S) as client:
            client.get("/sanctum/csrf-cookie").raise_for_status()
            yield client


def csrf(client: httpx2.Client | httpx2.AsyncClient) -> dict[str, str]:
    return {XSRF_HEADER: unquote(client.cookies[XSRF_COOKIE])}


@contextmanager
def running_web(folder: Path, *, ui: Path | None = None, **options: str) -> Iterator[WebProcess]:
    """Start the web process with these `SAGASCRIPT_` settings and wait until it answers.

    `ui` is a built front end; the default is an empty page.
    """
    port = free_port()
    ui = ui or _empty_page(folder / "ui")
    settings = ApiSettings(data_dir=folder / "data", port=port, ui_dir=ui)
    make_sqlite(settings.db_url)
    environment = {
        **os.environ,
        "SAGASCRIPT_DATA_DIR": str(folder / "data"),
        "SAGASCRIPT_UI_DIR": str(ui),
        "SAGASCRIPT_PORT": str(port),
        "SAGASCRIPT_LOG_FORMAT": "json",
        **{f"SAGASCRIPT_{name.upper()}": value for name, value in options.items()},
    }
    log = folder / "api.log"
    process = command("api", env=environment, log=log)
    try:
        _wait_until_it_answers(process, port, log)
        yield WebProcess(settings, process, log)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def _empty_page(folder: Path) -> Path:
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Sagascript</title>")
    (folder / "assets" / "page.js").write_text("export {}")
    return folder


def _wait_until_it_answers(process: ForkedProcess, port: int, log: Path) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx2.get(f"http://127.0.0.1:{port}/api/health", trust_env=False, timeout=5).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"The web process does not answer:\n{log.read_text()[-3000:]}")
