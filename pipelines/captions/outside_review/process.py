"""Compare an untrusted file with captions in a process with limits on time and memory."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import astuple

import structlog

from cluster.limited_process.process import LimitedProcess, ProcessFailed
from cluster.stored_sentences import sentence_of_json
from cluster.wording.message import Message
from pipelines.captions.imports.process import LIMITS
from pipelines.captions.outside_review.compare import Comparison, Line, Proposal
from pipelines.captions.reading.cues import UnreadableSubtitles

log = structlog.get_logger(__name__)

TOO_HARD = Message(
    "captions.review.too_hard",
    "This file takes too long to compare. A table (CSV or Word) with its times is compared faster than a text.",
)


def compare_in_process(raw: bytes, lines: Sequence[Line], language: str | None) -> Comparison:
    """Run the reading and the comparison in a child process and wait for it. Raises `UnreadableSubtitles`."""
    with (
        tempfile.NamedTemporaryFile(prefix="sagascript-review-") as file,
        tempfile.NamedTemporaryFile("w", prefix="sagascript-review-") as known,
    ):
        file.write(raw)
        file.flush()
        json.dump([astuple(line) for line in lines], known)
        known.flush()
        module = "pipelines.captions.outside_review.child"
        command = [sys.executable, "-I", "-m", module, file.name, known.name, language or ""]
        try:
            with LimitedProcess(command, LIMITS) as process:
                answer = json.loads(b"".join(process.output()))
        except ProcessFailed as failed:
            log.warning("captions.review_failed", why=failed.why, code=failed.returncode, errors=failed.errors)
            raise UnreadableSubtitles(TOO_HARD) from failed
    if "refused" in answer:
        raise UnreadableSubtitles(sentence_of_json(answer["refused"]))
    return Comparison([Proposal(*each) for each in answer["proposals"]], answer["unplaced"])
