"""A running `sagascript up`, read through its terminal."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SAGASCRIPT = (sys.executable, "-m", "api.main")


@dataclass
class Installation:
    process: subprocess.Popen[str]
    folder: Path
    port: int
    lines: list[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def env(self) -> dict[str, str]:
        return {**os.environ, "SAGASCRIPT_DATA_DIR": str(self.folder), "SAGASCRIPT_PORT": str(self.port)}

    def until(self, words: str) -> str:
        """Read the terminal up to the line that contains `words`; return that line."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            if words in line:
                return line
        raise AssertionError(f"{words!r} was never said:\n{''.join(self.lines)}")

    def pid(self, name: str) -> int:
        found = subprocess.run(
            ["pgrep", "-P", str(self.process.pid), "-f", name], capture_output=True, text=True, check=True
        )
        return int(found.stdout.split()[0])
