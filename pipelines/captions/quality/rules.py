"""All rules on the lines of a track."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pipelines.captions.quality.findings import Circumstances, Finding, Rule, Severity
from pipelines.captions.quality.text_rules import text_findings
from pipelines.captions.quality.time_rules import time_findings
from pipelines.messages.lines import CaptionLine


def find_at(lines: Sequence[CaptionLine], index: int, about: Circumstances) -> Iterator[Finding]:
    """What is wrong with one line, without fixes."""
    line = lines[index]
    if not line.text.strip():
        yield Finding(Rule.EMPTY, Severity.ERROR, (line.id,))
        return
    following = lines[index + 1] if index + 1 < len(lines) else None
    yield from text_findings(line, about)
    yield from time_findings(line, following, about)


def find_all(lines: Sequence[CaptionLine], about: Circumstances) -> list[Finding]:
    """What is wrong with lines in time order, without fixes."""
    return [finding for index in range(len(lines)) for finding in find_at(lines, index, about)]
