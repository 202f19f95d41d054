"""A real ClamAV daemon on a free port, with one signature of our own: the published ones take 200 MB and a download."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port
from pipelines.media.virus_scan import ping

INFECTION = b"SAGASCRIPT-TEST-INFECTION-4f1c"
NAME = "Sagascript.Test.UNOFFICIAL"
"""As the daemon says it of a signature that is not ClamAV's own."""


@contextmanager
def running_clamd() -> Iterator[str]:
    """Its address as `host:port`. Skips the test where ClamAV is not installed."""
    program = shutil.which("clamd") or shutil.which("clamd", path="/usr/sbin")
    if program is None:
        pytest.skip("ClamAV is not installed.")
    with tempfile.TemporaryDirectory(prefix="clamd") as folder:
        signatures = Path(folder) / "signatures"
        signatures.mkdir()
        (signatures / "test.ndb").write_text(f"Sagascript.Test:0:*:{INFECTION.hex()}\n")
        port = free_port()
        settings = Path(folder) / "clamd.conf"
        user = pwd.getpwuid(os.getuid()).pw_name
        settings.write_text(
            f"Foreground yes\nTCPSocket {port}\nTCPAddr 127.0.0.1\nUser {user}\nDatabaseDirectory {signatures}\n"
            f"TemporaryDirectory {folder}\nMaxThreads 2\nStreamMaxLength 25M\n"
        )
        process = subprocess.Popen([program, "--config-file", settings], stdout=subprocess.DEVNULL)
        try:
            address = f"127.0.0.1:{port}"
            deadline = time.monotonic() + PATIENCE_S
            while ping(address) is None:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise TimeoutError("ClamAV did not start.")
                time.sleep(0.1)
            yield address
        finally:
            process.kill()
            process.wait()
