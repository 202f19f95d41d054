"""What the commands write is for their user alone, and their terminal obeys no stranger."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from api.edges.cli.installation.model_lines import ModelLines
from api.edges.cli.installation.up import _report, _show_all, _show_important
from api.testing.processes.web_process import csrf, running_web

ESCAPES = "\x1b[31mPWNED\x1b]0;title\x07\r\x9b2J\u202e"


def readable_by_others(folder: Path) -> list[Path]:
    return [path for path in (folder, *folder.rglob("*")) if path.stat().st_mode & 0o077]


@pytest.mark.long
@pytest.mark.parametrize("is_there", [False, True])
def test_other_users_read_nothing_of_an_installation(tmp_path: Path, is_there: bool) -> None:
    folder = tmp_path / "data"
    if is_there:
        folder.mkdir(mode=0o755)
    subprocess.run(
        [sys.executable, "-m", "api.main", "migrate"],
        env={**os.environ, "SAGASCRIPT_DATA_DIR": str(folder)},
        umask=0o022,
        check=True,
        capture_output=True,
    )
    assert (folder / "sagascript.db").exists()
    assert readable_by_others(folder) == []


@pytest.mark.long
def test_a_running_web_process_writes_for_itself_alone(tmp_path: Path) -> None:
    with running_web(tmp_path) as web, web.client() as visitor:
        body = {"name": "Ada", "email": "ada@example.com", "password": "correct horse battery"}
        answer = visitor.post(
            "/register", json=body | {"password_confirmation": body["password"]}, headers=csrf(visitor)
        )
        assert answer.status_code == 201
        # The test made the database itself, and SQLite gives its other files the same mode.
        assert not web.settings.data_dir.stat().st_mode & 0o077
        made = [path for path in web.settings.data_dir.rglob("*") if not path.name.startswith("sagascript.db")]
        assert made
        assert [path for path in made if path.stat().st_mode & 0o077] == []


def test_log_lines_cannot_drive_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    line = json.dumps({"level": "error", "event": f"request.failed {ESCAPES}", "path": f"/{ESCAPES}"})
    _show_important(ModelLines(), "api", line)
    _show_all("api", f"plain {ESCAPES}")
    _report("api", f"ended: {ESCAPES}")
    shown = capsys.readouterr().err
    assert shown.count("PWNED") == 4
    assert [letter for letter in shown if not letter.isprintable() and letter != "\n"] == []
