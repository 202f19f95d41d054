"""`sagascript down`: stop the installation that `sagascript up` runs, and wait until it has ended."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Annotated

import typer

from api.edges.cli.console import err, fail, out
from api.edges.cli.settings import settings_with
from cluster.supervisor.folder import supervisor_of

_LOOK_S = 0.1
_STOPS_WITHIN_S = 60.0
"""Far more than the stop of every process, the longest drain included."""


def down(data_dir: Annotated[Path | None, typer.Option(help="Folder for all data.")] = None) -> None:
    """Stop what `sagascript up` runs. Models finish what they work on, and files continue at the next start."""
    settings = settings_with(data_dir=data_dir.resolve() if data_dir else None)
    folder = settings.data_dir.resolve()
    running = supervisor_of(folder)
    if running is None:
        out.print(
            f"No `sagascript up` runs on the data folder {folder}. Processes that were started one by one, such as "
            "`sagascript api`, are stopped by what started them.",
            markup=False, soft_wrap=True,
        )  # fmt: skip
        return
    try:
        os.kill(running, signal.SIGTERM)
    except PermissionError:
        raise fail(f"Process {running} belongs to another user, who must stop it.") from None
    except ProcessLookupError:
        # It ended meanwhile.
        return
    deadline = time.monotonic() + _STOPS_WITHIN_S
    with err.status("Stopping …"):
        while supervisor_of(folder) == running:
            if time.monotonic() >= deadline:
                raise fail(f"Process {running} has not stopped after {_STOPS_WITHIN_S:.0f} seconds.")
            time.sleep(_LOOK_S)
    out.print("Stopped.")
