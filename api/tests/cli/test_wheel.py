"""The product as a wheel, in an environment of its own and with no checkout in reach: pages, captions and data."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import httpx2
import pytest

from api.edges.cli.installation.demo import demo_password
from api.people.users.restrictions import DEMO_EMAIL
from api.testing.files.spoken_video import PROJECT
from api.testing.processes.installation import Installation
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

# Builds a wheel and starts an installation.
pytestmark = pytest.mark.long

UV = Path(sys.executable).with_name("uv")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (PROJECT / "ui" / "dist" / "index.html").is_file():
        pytest.skip("The front end is not built: run `make test`.")
    out = tmp_path_factory.mktemp("dist")
    build = [str(UV), "build", "--quiet", "--wheel", "--out-dir", str(out), str(PROJECT)]
    subprocess.run(build, check=True, timeout=PATIENCE_S, env={**os.environ, "UV_SYSTEM_CERTS": "1"})
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def command(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`sagascript` from the wheel. The packages that it needs are those of this environment, the product is not."""
    home = tmp_path_factory.mktemp("environment")
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, home], check=True, timeout=PATIENCE_S)
    python = home / "bin" / "python"
    install = [str(UV), "pip", "install", "--quiet", "--no-deps", "--python", str(python), str(wheel)]
    subprocess.run(install, check=True, timeout=PATIENCE_S)
    # A folder that a `.pth` names brings its packages but not its own `.pth`, so the checkout stays out of reach.
    own = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (Path(own) / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return home / "bin" / "sagascript"


def test_the_wheel_has_all_and_nothing_of_the_tests(wheel: Path) -> None:
    names = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", wheel], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    files = [line.split()[0] for line in names[1:]]
    for wanted in (
        *("api/ui/index.html", "api/platform/db/migrations/env.py", "pipelines/captions/fonts/files/Inter-Bold.ttf"),
        *("pipelines/captions/quality/profiles", "serve/profiles", "api/ui/docs"),
    ):
        assert any(name.startswith(wanted) for name in files), wanted
    assert [name for name in files if re.search(r"(^|/)(tests|testing|node_modules)/", name)] == []


def test_it_writes_a_folder_for_containers_without_being_told_of_the_wheel(
    command: Path, wheel: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "captions"
    subprocess.run([command, "init", "compose", folder], check=True, timeout=PATIENCE_S, cwd=tmp_path)
    assert sorted(path.name for path in folder.iterdir()) == [".env", "Dockerfile", "compose.yaml", wheel.name]
    assert (folder / wheel.name).read_bytes() == wheel.read_bytes()


def test_it_starts_anywhere_and_keeps_its_data_with_the_person(command: Path, tmp_path: Path) -> None:
    anywhere, person = tmp_path / "anywhere", tmp_path / "person"
    anywhere.mkdir()
    person.mkdir()
    port = free_port()
    # No Node, no variables of this checkout.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SAGASCRIPT_", "XDG_"))}
    process = subprocess.Popen(
        [command, "up", "--offline", "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=anywhere,
        start_new_session=True,
        env={**environment, "HOME": str(person), "PATH": "/usr/local/bin:/usr/bin:/bin"},
    )
    running = Installation(process, person / ".local" / "share" / "sagascript", port, [])
    try:
        assert running.url in running.until("is running at")
        assert demo_password(running.folder) in running.until("Sign in as")
        assert re.match(r"\s+00:0\d  welcome to the show", running.until("welcome"))
        with httpx2.Client(base_url=running.url, trust_env=False, timeout=PATIENCE_S) as browser:
            assert "<title>Sagascript" in browser.get("/").text
            assert browser.get("/docs").status_code == 200
            browser.get("/sanctum/csrf-cookie")
            token = browser.cookies["XSRF-TOKEN"].replace("%3D", "=")
            login = {"email": DEMO_EMAIL, "password": demo_password(running.folder)}
            answer = browser.post("/login", json=login, headers={"X-XSRF-TOKEN": token})
            assert answer.status_code == 200, answer.text
            (film,) = browser.get("/api/files").json()["data"]
            assert film["name"]
    finally:
        process.terminate()
        process.wait(PATIENCE_S)
    assert list(anywhere.iterdir()) == []
    assert (running.folder / "sagascript.db").is_file()
