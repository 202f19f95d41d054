"""Identity providers of others, as processes on loopback: nanoidp, and the certified `oidc-provider` of Node."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import yaml

from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

CLIENT = "sagascript"
SECRET = "secret-of-sagascript"
UI = Path(__file__).resolve().parents[3] / "ui"
PASSWORDS = {"grace": "hopper", "joan": "clarke"}
"""Who nanoidp knows. Everybody may sign in to the other, with any password."""


@dataclass(frozen=True, slots=True)
class IdentityServer:
    slug: str
    url: str

    def configured(self, **changes: Any) -> dict[str, Any]:
        """Its entry in the settings of the product."""
        entry = {
            "slug": self.slug,
            "name": self.slug.title(),
            "issuer": self.url,
            "client_id": CLIENT,
            "client_secret": SECRET,
        }
        return entry | changes


@contextmanager
def running_nanoidp(folder: Path, origin: str) -> Iterator[IdentityServer]:
    """`origin`: that of the product's pages."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    folder.mkdir(parents=True, exist_ok=True)
    client = {"client_id": CLIENT, "client_secret": SECRET, "redirect_uris": [f"{origin}/sign-in/nanoidp"]}
    settings = {
        "config_version": 1,
        "server": {"host": "127.0.0.1", "port": port},
        "oauth": {"issuer": url, "audience": CLIENT, "clients": [client]},
    }
    users = {
        name: {"password": password, "email": f"{name}@example.com", "groups": ["staff"]}
        for name, password in PASSWORDS.items()
    }
    (folder / "settings.yaml").write_text(yaml.safe_dump(settings))
    (folder / "users.yaml").write_text(yaml.safe_dump({"config_version": 1, "users": users}))
    command = [str(Path(sys.executable).with_name("nanoidp")), "--config", str(folder), "--port", str(port)]
    with _running(command, folder, url):
        yield IdentityServer("nanoidp", url)


@contextmanager
def running_node_provider(folder: Path, origin: str) -> Iterator[IdentityServer]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    client = {
        "port": port,
        "client_id": CLIENT,
        "client_secret": SECRET,
        "redirect_uris": [f"{origin}/sign-in/node"],
        "post_logout_redirect_uris": [f"{origin}/login"],
        "backchannel_logout_uri": f"{origin}/api/sign-in/node/back-channel-logout",
    }
    with _running(["node", str(UI / "testing" / "identityProvider.mjs"), json.dumps(client)], folder, url):
        yield IdentityServer("node", url)


@contextmanager
def _running(command: list[str], folder: Path, url: str) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log").open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, cwd=folder)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not _answers(url):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < deadline, (folder / "log").read_text()
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def _answers(url: str) -> bool:
    try:
        return (
            httpx2.get(f"{url}/.well-known/openid-configuration", trust_env=False, timeout=PATIENCE_S).status_code
            == 200
        )
    except httpx2.TransportError:
        return False
