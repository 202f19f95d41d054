"""Runs attempts on a long file in separate processes, and kills one at work."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.goals.long_file.figures import AttemptFigures


@dataclass(frozen=True, slots=True)
class Resumed:
    """`asked` counts windows of the second attempt; `missing` those that the first one had not finished."""

    windows: int
    kept: int
    asked: int
    first_chunk_s: float
    same_text: bool

    @property
    def done_again(self) -> int:
        """Finished windows that the model decoded again."""
        return self.asked - (self.windows - self.kept)


def whole(file: Path, warm: Path, models: Path, folder: Path) -> AttemptFigures:
    """Run one attempt to its end."""
    *_, last = _lines(_started(file, warm, models, folder))
    return AttemptFigures(**last["figures"])


def killed_and_resumed(file: Path, warm: Path, models: Path, folder: Path, *, share: float) -> Resumed:
    """Kill the worker with SIGKILL after `share` of the windows, then let another attempt resume.

    A third attempt without a kill gives the number of windows and the expected text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    chunks = folder / "chunks.json"
    undisturbed = {
        line["chunk"]["key"]: line["chunk"]["payload"]
        for line in _lines(_started(file, warm, models, folder))
        if "chunk" in line
    }
    first = _started(file, warm, models, folder)
    kept: dict[str, Any] = {}
    for line in _lines(first, to_the_end=False):
        kept[line["chunk"]["key"]] = line["chunk"]["payload"]
        if len(kept) >= share * len(undisturbed):
            first.kill()
            break
    first.communicate()
    chunks.write_text(json.dumps(kept))
    asked, figures = {}, None
    for line in _lines(_started(file, warm, models, folder)):
        if "chunk" in line:
            asked[line["chunk"]["key"]] = line["chunk"]["payload"]
        else:
            figures = AttemptFigures(**line["figures"])
    if figures is None:
        raise RuntimeError("The second attempt ended without a result.")
    same = _texts({**kept, **asked}) == _texts(undisturbed)
    return Resumed(len(undisturbed), len(kept), len(asked), figures.first_chunk_s, same)


def _texts(chunks: dict[str, Any]) -> list[str]:
    return [segment["text"] for key in sorted(chunks) for segment in chunks[key]["segments"]]


def _started(file: Path, warm: Path, models: Path, folder: Path) -> subprocess.Popen[str]:
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "benchmarks.goals.long_file.attempt", *map(str, (file, warm, models, folder))]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _lines(process: subprocess.Popen[str], *, to_the_end: bool = True) -> Any:
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)
    if to_the_end and process.wait() != 0:
        raise RuntimeError(f"The attempt ended with status {process.returncode}.")
