"""The terminal of the installation that all tests of this folder share."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import httpx2
import pytest

from api.edges.cli.installation.demo import demo_password
from api.people.users.restrictions import DEMO_EMAIL
from api.testing.files.sample import short_sample
from api.testing.processes.installation import SAGASCRIPT
from api.testing.processes.product import Product
from cluster.processes import children, command_line
from cluster.testing.patience import PATIENCE_S


def sagascript(product: Product, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "SAGASCRIPT_DATA_DIR": str(product.data_dir), "SAGASCRIPT_PORT": "0"}
    return subprocess.run([*SAGASCRIPT, *arguments], env=env, capture_output=True, text=True, check=False)


def test_it_says_where_it_is_and_how_to_sign_in(product: Product) -> None:
    assert product.url in product.wait_for_line("is running at", PATIENCE_S)
    login = product.wait_for_line("Sign in as", PATIENCE_S)
    assert DEMO_EMAIL in login
    assert demo_password(product.data_dir) in login


@pytest.mark.long
def test_a_second_one_on_the_same_folder_is_refused(product: Product) -> None:
    refused = sagascript(product, "up")
    assert refused.returncode == 1
    assert f"already runs on the data folder {product.data_dir}" in " ".join(refused.stderr.split())


@pytest.mark.long
def test_the_command_joins_the_running_installation(product: Product, tmp_path: Path) -> None:
    spoken = sagascript(product, "transcribe", str(short_sample(tmp_path)), "--format", "json", "-o", "-")
    assert spoken.returncode == 0, spoken.stderr
    assert json.loads(spoken.stdout)["lines"]
    assert not list((product.data_dir / "objects").glob("local/*"))


@pytest.mark.long
def test_a_killed_web_process_comes_back(product: Product) -> None:
    (first,) = _web_processes(product)
    os.kill(first, signal.SIGKILL)
    product.wait_for_line("api is running again", PATIENCE_S)
    assert _web_processes(product) != [first]
    assert httpx2.get(f"{product.url}/api/health", trust_env=False, timeout=PATIENCE_S).json() == {"status": "ok"}


def _web_processes(product: Product) -> list[int]:
    return [pid for pid in children(product.process.pid) if "api" in command_line(pid)]
