"""Seconds from the start of a process to the first caption it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cluster.ports import free_ports
from cluster.processes import end_with_parent

PATIENCE_S = 180.0
_BARE = Path(__file__).with_name("bare.py")
_CAPTION_OF_UP = re.compile(r"^\s+\d\d:\d\d\s+\S")


def of_bare_script(file: Path, models: Path) -> float:
    with _started([sys.executable, str(_BARE), str(file), str(models / "whisper")], {}) as process:
        return _until(process, re.compile(r"\S"))


def of_transcribe(file: Path, models: Path) -> float:
    """`sagascript transcribe`, where nothing runs yet."""
    command = _sagascript("transcribe", str(file), "--output", "-", "--format", "txt")
    with tempfile.TemporaryDirectory() as folder, _started(command, _settings(Path(folder), models)) as process:
        return _until(process, re.compile(r"\S"))


@contextmanager
def up(
    folder: Path, models: Path, port: int | None = None, *, offline: bool = False
) -> Iterator[tuple[subprocess.Popen[str], float]]:
    """Run `sagascript up` in an empty folder, by default on a free port; yield the seconds to the first caption."""
    with _started(_sagascript("up", *(["--offline"] if offline else [])), _settings(folder, models, port)) as process:
        yield process, _until(process, _CAPTION_OF_UP)


def of_up(models: Path) -> float:
    with tempfile.TemporaryDirectory() as folder, up(Path(folder), models) as (_, seconds):
        return seconds


def _sagascript(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "api.main", *arguments]


def _settings(folder: Path, models: Path, port: int | None = None) -> dict[str, str]:
    return {
        "SAGASCRIPT_DATA_DIR": str(folder),
        "SAGASCRIPT_MODELS_DIR": str(models),
        "SAGASCRIPT_ALLOW_HUB": "false",
        "SAGASCRIPT_PORT": str(port or free_ports(1)[0]),
        "COLUMNS": "200",
    }


@contextmanager
def _started(command: list[str], settings: dict[str, str]) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        command,
        env={**os.environ, **settings, "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=end_with_parent,
    )
    process.began = time.monotonic()  # type: ignore[attr-defined]
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _until(process: subprocess.Popen[str], line: re.Pattern[str]) -> float:
    assert process.stdout is not None
    for text in process.stdout:
        if line.search(text):
            return time.monotonic() - process.began  # type: ignore[attr-defined, no-any-return]
    raise RuntimeError(f"{process.args!r} ended without a caption.")
