"""An ffmpeg that waits before it begins, so that work stays in the middle until a test lets it go on."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = """#!/bin/sh
touch "{begun}"
while [ -e "{hold}" ]; do sleep 0.05; done
exec "{ffmpeg}" "$@"
"""


@dataclass(frozen=True, slots=True)
class HeldFfmpeg:
    """`program` waits while the file `hold` exists; `begun` exists once it was started."""

    program: Path
    hold: Path
    begun: Path


def held_ffmpeg(folder: Path) -> HeldFfmpeg:
    """A program in `folder` that does not wait before its `hold` is created."""
    made = HeldFfmpeg(folder / "ffmpeg", folder / "hold", folder / "begun")
    made.program.write_text(_PROGRAM.format(begun=made.begun, hold=made.hold, ffmpeg=shutil.which("ffmpeg")))
    made.program.chmod(0o755)
    return made
