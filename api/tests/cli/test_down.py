"""`sagascript down` ends the process that holds the data folder, and only returns once it has let it go."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from api.commands import app
from cluster.supervisor.folder import supervisor_of

HOLDER = """
import signal, sys, time
from pathlib import Path

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
from cluster.supervisor.folder import claim

with claim(Path(sys.argv[1])):
    print("running", flush=True)
    signal.sigwait({signal.SIGTERM})
    time.sleep(0.5)
    (Path(sys.argv[1]) / "finished").touch()
"""


def down(folder: Path) -> str:
    result = CliRunner().invoke(app, ["down", "--data-dir", str(folder)])
    assert result.exit_code == 0, result.output
    return result.output


def test_it_waits_until_the_installation_has_stopped(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"running\n"
        assert supervisor_of(tmp_path) == holder.pid
        assert "Stopped." in down(tmp_path)
        assert (tmp_path / "finished").exists()
        assert holder.wait() == 0


def test_without_an_installation_it_says_so(tmp_path: Path) -> None:
    assert "No `sagascript up` runs" in " ".join(down(tmp_path).split())
