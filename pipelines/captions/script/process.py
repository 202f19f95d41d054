"""Place an untrusted text in a process with limits on time and memory."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping

import structlog

from cluster.limited_process.process import LimitedProcess, ProcessFailed
from cluster.wording.message import Message
from pipelines.captions.imports.answer import ReadFile, read_answer
from pipelines.captions.imports.process import LIMITS
from pipelines.captions.reading.cues import UnreadableSubtitles

log = structlog.get_logger(__name__)

TOO_HARD = Message(
    "pipelines.captions.script_too_hard",
    "This text takes too long to compare with what was heard, so nothing was changed. Import it in parts.",
)


def script_in_process(raw: bytes, lines: str, speakers: Mapping[str, str], language: str) -> ReadFile:
    """Captions of the text at the times of what was heard. Raises `UnreadableSubtitles`.

    `lines` are captions as `lines_of_text` reads them, and `speakers` the names of their labels.
    """
    with (
        tempfile.NamedTemporaryFile(prefix="sagascript-script-") as file,
        tempfile.NamedTemporaryFile("w", prefix="sagascript-script-") as known,
    ):
        file.write(raw)
        file.flush()
        json.dump({"lines": lines, "speakers": dict(speakers)}, known)
        known.flush()
        command = [sys.executable, "-I", "-m", "pipelines.captions.script.child", file.name, known.name, language]
        try:
            with LimitedProcess(command, LIMITS) as process:
                return read_answer(b"".join(process.output()))
        except ProcessFailed as failed:
            log.warning("captions.script_failed", why=failed.why, code=failed.returncode, errors=failed.errors)
            raise UnreadableSubtitles(TOO_HARD) from failed
