"""Read an untrusted image in a process with limits on time and memory."""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from pathlib import Path

import structlog

from cluster.limited_process.limits import ProcessLimits
from cluster.limited_process.process import LimitedProcess, ProcessFailed
from cluster.wording.message import Message
from pipelines.pictures.unreadable import UnreadablePicture

log = structlog.get_logger(__name__)

LIMITS = ProcessLimits(cpu_s=6, wall_s=8, memory_bytes=768 * 1024**2, address_space_bytes=2 * 1024**3, niceness=2)
"""A PNG of 50 megapixels takes 2 s and 600 MB. The wall time stays below that of an API call."""

TOO_HARD = Message(
    "pipelines.pictures.too_hard",
    "This picture takes too long to read. Choose a smaller one, or save it again as a JPEG.",
)


def make_avatar_in_process(raw: bytes) -> bytes:
    """The person's picture as a JPEG. Raises `UnreadablePicture`."""
    with tempfile.NamedTemporaryFile(prefix="sagascript-picture-") as file:
        file.write(raw)
        file.flush()
        answer = json.loads(_ask(Path(file.name)))
    if "refused" in answer:
        raise UnreadablePicture(answer["refused"])
    return base64.b64decode(answer["jpeg"])


def _ask(path: Path) -> bytes:
    command = [sys.executable, "-I", "-m", "pipelines.pictures.avatar_child", str(path)]
    try:
        with LimitedProcess(command, LIMITS) as process:
            return b"".join(process.output())
    except ProcessFailed as failed:
        log.warning("picture.failed", why=failed.why, code=failed.returncode, errors=failed.errors)
        raise UnreadablePicture(TOO_HARD) from failed
