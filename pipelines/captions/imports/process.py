"""Read an untrusted subtitle file in a process with limits on time and memory."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import structlog

from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess, ProcessFailed
from cluster.wording.message import Message
from pipelines.captions.forms.form import USUAL_READING, Reading
from pipelines.captions.imports.answer import ReadFile, read_answer
from pipelines.captions.imports.subtitles import Imported
from pipelines.captions.reading.cues import UnreadableSubtitles

log = structlog.get_logger(__name__)

LIMITS = ProcessLimits(cpu_s=6, wall_s=30, memory_bytes=512 * 1024**2, address_space_bytes=2 * 1024**3, niceness=2)
"""5 MB of captions take about 1 s and 120 MB. The processor time is what refuses a file: on a busy machine 8 s by the
clock refused good ones. The wall time stays below what an import's call may take."""

TOO_HARD = Message(
    "pipelines.captions.too_hard",
    "This file takes too long to read, so nothing was changed. Check that it is a subtitle file, or open and save it "
    "again in a subtitle editor.",
)


def read_in_process(raw: bytes, language: str | None, reading: Reading = USUAL_READING) -> Imported:
    """Run `parse_subtitles` in a child process and wait for it. Raises `UnreadableSubtitles`."""
    return file_in_process(raw, language, reading).imported()


def file_in_process(raw: bytes, language: str | None, reading: Reading = USUAL_READING) -> ReadFile:
    """Like `read_in_process`, with the lines still as JSON."""
    with tempfile.NamedTemporaryFile(prefix="sagascript-import-") as file:
        file.write(raw)
        file.flush()
        answer = _ask(Path(file.name), language or "", reading)
    return read_answer(answer)


def _ask(path: Path, language: str, reading: Reading) -> bytes:
    fps = "" if reading.fps is None else str(reading.fps)
    child = ["-I", "-m", "pipelines.captions.imports.child"]
    command = [sys.executable, *child, str(path), language, fps, reading.roll_up]
    try:
        with LimitedProcess(command, LIMITS) as process:
            return b"".join(process.output())
    except ProcessFailed as failed:
        log.warning("captions.import_failed", why=failed.why, code=failed.returncode, errors=failed.errors)
        raise UnreadableSubtitles(TOO_HARD) from failed
