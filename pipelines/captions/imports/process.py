"""Read an untrusted subtitle file in a process with limits on time and memory."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import structlog

from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess, ProcessFailed
from cluster.stored_sentences import sentence_of_json
from cluster.wording.message import Message
from pipelines.captions.forms.form import USUAL_READING, Reading
from pipelines.captions.imports.imported_json import imported_from_json
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


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What a process read in a file. `body` is its import as JSON: decoding 20,000 lines takes 0.1 s."""

    notes: tuple[str, ...]
    speakers: dict[str, str]
    lines: int
    body: bytes

    def imported(self) -> Imported:
        return imported_from_json(json.loads(self.body))


def read_in_process(raw: bytes, language: str | None, reading: Reading = USUAL_READING) -> Imported:
    """Run `parse_subtitles` in a child process and wait for it. Raises `UnreadableSubtitles`."""
    return file_in_process(raw, language, reading).imported()


def file_in_process(raw: bytes, language: str | None, reading: Reading = USUAL_READING) -> ReadFile:
    """Like `read_in_process`, with the lines still as JSON."""
    with tempfile.NamedTemporaryFile(prefix="sagascript-import-") as file:
        file.write(raw)
        file.flush()
        answer = _ask(Path(file.name), language or "", reading)
    head, _, body = answer.partition(b"\n")
    found = json.loads(head)
    if "refused" in found:
        raise UnreadableSubtitles(sentence_of_json(found["refused"]))
    return ReadFile(tuple(map(sentence_of_json, found["notes"])), found["speakers"], found["lines"], body)


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
