"""A track's findings as CSV, as spreadsheets read it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from pipelines.captions.lines import CaptionLine
from pipelines.captions.quality.findings import Finding
from pipelines.captions.quality.sentences import SEVERITIES, TITLES, reason_of, sentence_of
from pipelines.captions.timestamps import format_time

COLUMNS = ("line", "start", "end", "severity", "rule", "finding", "safe fix", "text")


def report_csv(lines: Sequence[CaptionLine], findings: Sequence[Finding], language: str) -> bytes:
    """UTF-8 with a mark at the beginning, without which Excel reads another encoding. `language` is `en` or `is`."""
    number_of = {line.id: number for number, line in enumerate(lines, 1)}
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for finding in findings:
        number = number_of[finding.line_ids[0]]
        line = lines[number - 1]
        writer.writerow(
            (
                number,
                format_time(line.start_ms),
                format_time(line.end_ms),
                SEVERITIES[language][finding.severity],
                TITLES[language][finding.rule],
                _cell(sentence_of(finding, language)),
                "" if finding.fix is None else _cell(reason_of(finding.fix, language)),
                _cell(line.text),
            )
        )
    return out.getvalue().encode("utf-8-sig")


def _cell(text: str) -> str:
    # A spreadsheet would run a text such as `=1+1` or `-2` as a formula.
    return f"'{text}" if text[:1] in "=+-@\t\r" and text else text
